import { type ContentBlock, partMaker, type ShownApproval } from '@dragoman/protocol';
import { parseMarkdownV2, rounds, sessionOf, settleText } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scene } from '../channels/channel.ts';
import { anyBlock, anyText } from './any-blocks.fixture.ts';
import type { TelegramBody } from './telegram-body.ts';
import { telegramRenderer } from './telegram-renderer.ts';
import { writeMarkdownV2, writePlain } from './write-markdown-v2.ts';

/** What is wrong with a message, as Telegram would see it. */
function faultsOf(body: TelegramBody): string[] {
  if (body.type === 'file') return body.name === '' ? ['a file without a name'] : [];
  const faults: string[] = [];
  const parsed = parseMarkdownV2(writeMarkdownV2(body.blocks));
  const { text, entities, found } = settleText(parsed);
  if (parsed.text !== writePlain(body.blocks)) faults.push('it reads otherwise than it was meant');
  if (text.trim() === '') faults.push('nothing to read');
  if (parsed.text.length > 4096) faults.push(`${parsed.text.length} units`);
  if (parsed.entities.length > 100) faults.push(`${parsed.entities.length} entities`);
  if (!parsed.text.isWellFormed()) faults.push('half a character');
  if (found.some(({ type }) => type === 'mention')) faults.push('a mention');
  for (const { type, url = '' } of entities)
    if (type === 'text_mention' || (type === 'text_link' && !/^https?:\/\//.test(url))) faults.push(`${type} ${url}`);
  for (const { label } of body.buttons.flat())
    if (label === '' || label.length > 64) faults.push(`the button ${label}`);
  return faults;
}

function bodiesWith(block: ContentBlock): TelegramBody[] {
  const session = sessionOf();
  session.turn('go');
  if (block.type === 'tool_result')
    session.block('assistant', { type: 'tool_use', id: 'call_1', name: 'bash', input: {} });
  session.block(block.type === 'tool_result' ? 'user' : 'assistant', block);
  session.endTurn();
  const view = session.view();
  const scene: Scene = { view, language: 'en', link: 'https://dragoman.example/sessions/ses_1', ownPrompts: new Map() };
  return partMaker()(view).flatMap((part) => telegramRenderer.part(part, scene).map(({ body }) => body));
}

test('any block is messages that Telegram takes, and that say what was meant [UAP-35]', () => {
  fc.assert(
    fc.property(anyBlock, (block) => {
      const bodies = bodiesWith(block);
      expect(bodies.length).toBeGreaterThan(0);
      expect(bodies.length).toBeLessThan(12);
      expect(bodies.flatMap(faultsOf)).toEqual([]);
    }),
    { numRuns: rounds(10_000), seed: 35 },
  );
});

test('a turn with much of everything in one call is messages that Telegram takes [UAP-35]', () => {
  const session = sessionOf();
  session.turn('go');
  const long = 'word '.repeat(400);
  session.block('assistant', {
    type: 'plan',
    entries: Array.from({ length: 60 }, () => ({ content: long, status: 'pending' as const })),
  });
  session.block('assistant', {
    type: 'tool_use',
    id: 'call_1',
    name: 'task',
    title: long,
    input: { a: long, b: long },
  });
  for (let index = 0; index < 30; index += 1) {
    const options = [{ id: 'yes', name: long, kind: 'allow_once' as const }];
    session.add({
      type: 'approval-asked',
      approval: { id: `apr_${index}`, title: long, options, toolUseId: 'call_1' },
    });
    const by = { type: 'user' as const, userId: 'usr_1', name: long, channel: 'web' };
    session.add({
      type: 'approval-decided',
      approvalId: `apr_${index}`,
      reply: { type: 'selected', optionId: 'yes', text: long },
      by,
    });
    session.call(`call_1_${index}`, 'bash', { title: long, parent_tool_use_id: 'call_1' });
  }
  const diffs = Array.from({ length: 20 }, () => ({ path: long, unified: `+${long}\n-${long}` }));
  const attachments = Array.from({ length: 40 }, () => ({ type: 'file' as const, name: long, data: 'AA==' }));
  session.finish('call_1', long, { diffs, attachments, is_error: true });
  session.endTurn('failed', { code: 'x', message: long, fix: long.toUpperCase() });
  const view = session.view();
  const scene: Scene = { view, language: 'en', link: undefined, ownPrompts: new Map() };
  const posts = partMaker()(view).flatMap((part) => telegramRenderer.part(part, scene));
  expect(posts.flatMap(({ body }) => faultsOf(body))).toEqual([]);
  expect(posts.filter(({ key }) => key.startsWith('part ')).length).toBeLessThan(10);
  expect(posts.filter(({ key }) => key.startsWith('file '))).toHaveLength(40);
});

test('any question and any note is a message that Telegram takes [UAP-35]', () => {
  const view = sessionOf().view();
  const option = fc.record({
    id: anyText,
    name: anyText,
    kind: fc.constantFrom('allow_once', 'allow_always', 'reject_once', 'reject_always', 'answer'),
  });
  const approval: fc.Arbitrary<ShownApproval> = fc.record({
    id: fc.constant('apr_1'),
    askedAt: fc.constant(1),
    title: anyText,
    reason: anyText,
    options: fc.array(option, { maxLength: 120 }),
    diffs: fc.array(fc.record({ path: anyText, unified: anyText }), { maxLength: 3 }),
    allowsText: fc.boolean(),
    question: fc.constant({ tool: 'bash', subjects: [{ kind: 'command' as const, value: 'ls' }] }),
    always: fc.array(fc.record({ tool: anyText, pattern: anyText }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(approval, anyText, fc.constantFrom('en', 'zh'), (asked, text, language) => {
      const post = telegramRenderer.approval(asked, { view, language, link: undefined, ownPrompts: new Map() });
      const note = telegramRenderer.note(
        { text, buttons: [[{ label: text, action: { type: 'command', text } }]] },
        language,
      );
      expect([post.body, note.body].flatMap(faultsOf)).toEqual([]);
      expect(post.body.type === 'text' && post.body.buttons.flat().length).toBe(post.actions.length);
      expect(post.actions.length).toBeLessThanOrEqual(100);
    }),
    { numRuns: rounds(2000), seed: 36 },
  );
});
