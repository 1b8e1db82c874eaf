import { type ContentBlock, partMaker, type ShownApproval } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { Scene } from '../channels/channel.ts';
import { blocksLength } from './rich-text.ts';
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

test.each([
  [
    'en' as const,
    '⚠️ desk went offline at 2026-03-01 14:05 UTC. Send /stop to end the turn, or /move to continue on another machine.',
  ],
  ['zh' as const, '⚠️ desk 于 2026-03-01 14:05 UTC 离线。发送 /停止 结束本轮，或发送 /移动 换一台机器继续。'],
])('in %s a turn whose machine is away says that in the place of its work [UAP-35]', (language, line) => {
  const session = sessionOf();
  session.turn('go');
  const away = { machine: 'desk', since: Date.UTC(2026, 2, 1, 14, 5, 59), state: 'away' as const };
  const scene = { ...sceneOf(session), language, away };

  const [post] = partMaker()(scene.view).flatMap((part) => telegramRenderer.part(part, scene));

  expect(writePlain(post!.body.type === 'text' ? post!.body.blocks.slice(-1) : [])).toBe(line);
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

/** A question about a command, as it stands in a chat: its words, and its buttons. */
function asked(command: string, more: Partial<ShownApproval> = {}): { text: string; labels: string[] } {
  const session = sessionOf();
  session.turn('go');
  const approval: ShownApproval = {
    id: 'a-1',
    title: `bash ${command.split('\n')[0]} …`,
    toolUseId: 'c',
    call: { name: 'bash', input: { command } },
    options: [
      { id: 'y', name: 'Allow once', kind: 'allow_once' },
      { id: 'a', name: 'Always allow', kind: 'allow_always' },
      { id: 'n', name: 'Reject', kind: 'reject_once' },
    ],
    askedAt: 0,
    ...more,
  };
  const scene = { ...sceneOf(session), link: 'https://dragoman.example/sessions/1' };
  const { body } = telegramRenderer.approval(approval, scene);
  if (body.type !== 'text') throw new TypeError('It is no text.');
  expect(blocksLength(body.blocks)).toBeLessThanOrEqual(4096);
  return { text: writePlain(body.blocks), labels: body.buttons.flat().map(({ label }) => label) };
}

test('a question shows every line of its command, every subject with its reason, and every argument', () => {
  const { text, labels } = asked('npm test\ncurl -o build.sh http://x\n\tsh build.sh', {
    call: { name: 'bash', input: { command: 'npm test\ncurl -o build.sh http://x\n\tsh build.sh', workdir: '/etc' } },
    reason: 'No rule is about "npm test".',
    asked: [
      { kind: 'command', value: 'npm test', reason: 'No rule is about "npm test".' },
      { kind: 'command', value: 'sh build.sh', reason: 'No rule is about "sh build.sh".' },
    ],
  });
  for (const line of ['npm test', 'curl -o build.sh http://x', '    sh build.sh', 'workdir: /etc'])
    expect(text.split('\n')).toContain(line);
  expect(text).toContain('sh build.sh: No rule is about "sh build.sh".');
  expect(labels).toEqual(['Allow once', 'Always allow', 'Reject']);
});

test.each([
  ['a long command', asked(`npm test ${'x'.repeat(4000)} && sh build.sh`)],
  ['a command of many lines', asked(`${'true\n'.repeat(900)}sh build.sh`)],
  ['a long change', asked('ls', { diffs: [{ path: 'a.ts', unified: `@@ -0,0 +1,900 @@\n${'+line\n'.repeat(900)}` }] })],
  ['a long argument', asked('ls', { call: { name: 'bash', input: { command: 'ls', env: 'x'.repeat(4000) } } })],
  [
    'many rules to save',
    asked('ls', { question: { tool: 'bash', subjects: [{ kind: 'command', value: 'ls' }] }, always: manyRules() }),
  ],
])('beside %s that a message cannot hold there is a no, and no yes', (_, { text, labels }) => {
  expect(labels).toEqual(['Reject']);
  expect(text).toContain('Too long to show here in full. Open the session to allow it.');
});

function manyRules(): { tool: string; pattern: string }[] {
  return Array.from({ length: 400 }, (_, index) => ({ tool: 'bash', pattern: `command-${index} *` }));
}

test('a question about a call that is told nowhere has no yes; where the session tells it, that is shown', () => {
  expect(asked('ls', { call: undefined as never }).labels).toEqual(['Reject']);
  const session = sessionOf();
  session.turn('go');
  session.block('assistant', bash('npm test\nsh build.sh'));
  const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' as const }];
  const approval: ShownApproval = { id: 'a', title: 'bash npm test …', toolUseId: 'c', options, askedAt: 0 };
  const { body } = telegramRenderer.approval(approval, sceneOf(session));
  expect(body.type === 'text' && writePlain(body.blocks)).toContain('npm test\nsh build.sh');
});

test('a command that letters from right to left turn around has no yes', () => {
  expect(asked('cat notes > copy').labels).toEqual(['Allow once', 'Always allow', 'Reject']);
  expect(asked('cat אבג > דהו').labels).toEqual(['Reject']);
});

test('a label that has no room on its button, and every rule that is saved, stand in the text', () => {
  const name = `Always allow in this project: ${Array.from({ length: 9 }, (_, at) => `bash tool-${at} *`).join(', ')}`;
  const always = Array.from({ length: 9 }, (_, at) => ({ tool: 'bash', pattern: `npm run ${at}${'x'.repeat(130)}` }));
  const options = [{ id: 'a', name, kind: 'allow_always' as const }];
  const { text } = asked('ls', {
    options,
    always,
    question: { tool: 'bash', subjects: [{ kind: 'command', value: 'ls' }] },
  });
  expect(text).toContain(name);
  for (const { pattern } of always) expect(text).toContain(`bash ${pattern}`);
});
