import { foldHubEvents, type LoggedHubEvent, partMaker, type SessionView } from '@dragoman/protocol';
import { uapFixtures } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { Scene } from '../channels/channel.ts';
import { telegramRenderer } from './telegram-renderer.ts';
import type { TelegramBody } from './telegram-body.ts';
import { writeMarkdownV2 } from './write-markdown-v2.ts';

const fixtures = uapFixtures();

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('the golden session %s', (name, fixture) => {
  test('is these messages on Telegram [UAP-35]', async () => {
    const view = foldHubEvents(fixture.events)!;
    await expect(messages(view)).toMatchFileSnapshot(`golden/${name}.md`);
  });

  test('is the same messages whether it was followed event by event or read at once [UAP-35]', () => {
    const makeParts = partMaker();
    let view: SessionView | undefined;
    let followed = '';
    for (const event of fixture.events) {
      view = foldHubEvents([event], view);
      followed = messages(view!, makeParts);
    }
    expect(followed).toBe(messages(view!));
  });
});

test('a call that runs, one that waits, the end of a thought: what is on its way is shown as it stands [UAP-35]', async () => {
  const at = (name: string, seq: number) => {
    const { events } = fixtures.find((fixture) => fixture.name === name)!;
    return messages(foldHubEvents(events.filter((event: LoggedHubEvent) => event.seq <= seq))!);
  };
  const moments = [at('example', 6), at('example', 12), at('approval-allowed', 6), at('live-tool-output', 8)];
  await expect(moments.join('\n\n=== later ===\n\n')).toMatchFileSnapshot('golden/moments.md');
});

test('what people read in Chinese is in Chinese [UAP-35]', async () => {
  const { events } = fixtures.find(({ name }) => name === 'approval-allowed')!;
  const view = foldHubEvents(events.slice(0, 6))!;
  await expect(messages(view, partMaker(), 'zh')).toMatchFileSnapshot('golden/chinese.md');
});

function messages(view: SessionView, makeParts = partMaker(), language: Scene['language'] = 'en'): string {
  const link = `https://dragoman.example/sessions/${view.info.id}`;
  const scene: Scene = { view, language, link, ownPrompts: new Map() };
  const posts = makeParts(view).flatMap((part) => telegramRenderer.part(part, scene));
  const asked = view.approvals.map((approval) => telegramRenderer.approval(approval, scene));
  return [...posts, ...asked].map(({ key, body, actions }) => `--- ${key}\n${shown(body, actions)}\n`).join('\n');
}

function shown(body: TelegramBody, actions: readonly unknown[]): string {
  if (body.type === 'file') return `file ${body.name} (${body.mediaType})`;
  const buttons = body.buttons.map((row) => row.map(({ label }) => `[ ${label} ]`).join(' '));
  const doing = actions.map((action, index) => `${index}: ${JSON.stringify(action)}`);
  return [writeMarkdownV2(body.blocks), ...buttons, ...doing].join('\n');
}
