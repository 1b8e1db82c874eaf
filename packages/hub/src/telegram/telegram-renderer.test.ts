import { type ContentBlock, partMaker, type ShownApproval } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { Scene } from '../channels/channel.ts';
import type { Block } from './telegram-body.ts';
import { telegramRenderer } from './telegram-renderer.ts';
import { writePlain } from './write-markdown-v2.ts';

type Session = ReturnType<typeof sessionOf>;

function sceneOf(session: Session): Scene {
  return { view: session.view(), language: 'en', link: undefined, ownPrompts: new Map() };
}

function blocksOf(session: Session): Block[] {
  const scene = sceneOf(session);
  return partMaker()(scene.view).flatMap((part) =>
    telegramRenderer.part(part, scene).flatMap(({ body }) => (body.type === 'text' ? body.blocks : [])),
  );
}

function shown(...blocks: ContentBlock[]): string {
  const session = sessionOf();
  session.turn('go');
  for (const block of blocks) session.block(block.type === 'tool_result' ? 'user' : 'assistant', block);
  return writePlain(blocksOf(session));
}

const bash = (command: string): ContentBlock => ({ type: 'tool_use', id: 'c', name: 'bash', input: { command } });

test('what a command printed is shown although it also changed a file [UAP-35]', () => {
  const diffs = [{ path: 'out.js', unified: '@@ -1 +1 @@\n-a\n+b\n' }];
  const text = shown(bash('make'), { type: 'tool_result', tool_use_id: 'c', content: 'built in 2 s', diffs });
  expect(text).toContain('out.js +1 −1');
  expect(text).toContain('built in 2 s');
});

test('of an edit only the change is shown [UAP-35]', () => {
  const text = shown(
    { type: 'tool_use', id: 'c', name: 'edit', kind: 'edit', input: { filePath: 'a.ts' } },
    {
      type: 'tool_result',
      tool_use_id: 'c',
      content: 'The file was edited.',
      diffs: [{ path: 'a.ts', unified: '@@ -1 +1 @@\n-a\n+b\n' }],
    },
  );
  expect(text).toContain('a.ts +1 −1');
  expect(text).not.toContain('The file was edited.');
});

test('a new file without a line is said to be one [UAP-35]', () => {
  const unified = 'diff --git a/.keep b/.keep\nnew file mode 100644\n';
  const text = shown(bash('touch .keep'), {
    type: 'tool_result',
    tool_use_id: 'c',
    content: '',
    diffs: [{ path: '.keep', unified }],
  });
  expect(text).toContain('.keep · new, empty file');
  expect(text).not.toContain('100644');
});

test('a text that did not change is not read again when another one comes [UAP-35]', () => {
  const session = sessionOf();
  session.turn('go');
  session.block('assistant', { type: 'text', text: 'First.\n\nSecond _one_.' });
  const before = blocksOf(session);
  session.block('assistant', { type: 'text', text: 'More.' });
  expect(blocksOf(session)[2]).toBe(before[2]);
  expect(before[2]).toEqual({
    type: 'text',
    gap: true,
    spans: [{ text: 'Second ' }, { text: 'one', italic: true }, { text: '.' }],
  });
});

test('nothing is hidden in what is decided by: the title, the command, the labels of buttons, the change [UAP-35]', () => {
  const session = sessionOf();
  session.turn('go');
  const approval: ShownApproval = {
    id: 'a-1',
    title: 'rm \u2067x\u2069 hid\u200bden\u00ad',
    options: [{ id: 'y', name: 'All\u202eow', kind: 'allow_once' }],
    diffs: [{ path: 'a\u2066.ts', unified: '@@ -1 +1 @@\n-a\n+b\u2067\n' }],
  } as unknown as ShownApproval;
  const { body } = telegramRenderer.approval(approval, sceneOf(session));
  if (body.type !== 'text') throw new TypeError('It is no text.');
  const text = writePlain(body.blocks);
  expect(text).toContain('rm ⟨U+2067⟩x⟨U+2069⟩ hid⟨U+200B⟩den⟨U+00AD⟩');
  expect(text).toContain('a⟨U+2066⟩.ts');
  expect(text).toContain('+b⟨U+2067⟩');
  expect(body.buttons.flat()[0]).toMatchObject({ label: 'All⟨U+202E⟩ow' });
  expect(shown(bash('echo \u2067tail'))).toContain('echo ⟨U+2067⟩tail');
});
