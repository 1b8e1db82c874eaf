import type { SessionView } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { Scene } from '../../channels/channel.ts';
import { cardIn, cardsIn, postsOf, seen, wrongIn } from './cards.fixture.ts';

/** What a person sees of the last card. */
function lastCard(view: SessionView, how: Partial<Scene> = {}) {
  const card = cardsIn(view, how).at(-1)!;
  expect(wrongIn(card)).toEqual([]);
  return seen(card);
}

test('thinking is folded, can be opened, and says how long it took once it is over [UAP-30]', () => {
  const session = sessionOf();
  session.turn('think');
  session.open('blk_t', { type: 'thinking', thinking: 'One ' });
  session.add({ type: 'block-delta', blockId: 'blk_t', delta: 'two' });
  const [running] = lastCard(session.view()).panels;
  expect(running).toMatchObject({ title: '💭 Thinking', isExpanded: false, lines: ['One two'] });

  session.add({ type: 'block-delta', blockId: 'blk_t', delta: ' three.' });
  session.add({
    type: 'block-stop',
    messageId: 'msg_blk_t',
    role: 'assistant',
    blockId: 'blk_t',
    block: { type: 'thinking', thinking: 'One two three.' },
  });
  const [over] = lastCard(session.view()).panels;
  expect(over).toMatchObject({ title: '💭 Thinking · 1.5 s', isExpanded: false, lines: ['One two three.'] });
  expect(over?.elementId).toBe(running?.elementId);
});

test('a call changes in place from Running to Success or Error, in its colour and with what it took [UAP-31]', () => {
  const session = sessionOf();
  session.turn('test');
  session.call('call_1', 'bash', { input: { command: 'npm test' } }, { isRunning: true });
  const [running] = lastCard(session.view()).panels;
  expect(running).toMatchObject({ title: '⏳ Run npm test · Running', color: 'blue', isExpanded: false });

  session.finish('call_1', '1 test failed', { is_error: true });
  const [failed] = lastCard(session.view()).panels;
  expect(failed).toMatchObject({
    title: '❌ Run npm test · Error · 0.5 s',
    color: 'red',
    lines: ['npm test', '1 test failed'],
    elementId: running?.elementId,
  });

  session.call('call_2', 'bash', { input: { command: 'npm test' } });
  expect(lastCard(session.view()).panels.at(-1)).toMatchObject({
    title: '✅ Run npm test · Success · 0.5 s',
    color: 'green',
    lines: ['npm test', 'result of call_2'],
  });
});

test('a call that waits is orange, one that nobody finished is grey, and one that was refused is no error [UAP-31]', () => {
  const session = sessionOf();
  const ask = (id: string) =>
    session.add({
      type: 'approval-asked',
      approval: { id: `apr_${id}`, title: 'May I?', toolUseId: id, options: [] },
    });
  session.turn('remove');
  session.call('call_1', 'bash', { input: { command: 'rm a' } }, { isRunning: true });
  ask('call_1');
  expect(lastCardOfAnswer(session.view()).panels).toMatchObject([
    { title: '✋ Run rm a · Waiting for an answer', color: 'orange' },
  ]);
  session.add({
    type: 'approval-decided',
    approvalId: 'apr_call_1',
    reply: { type: 'rejected', feedback: 'Keep it.' },
    by: { type: 'user', userId: 'usr_2', name: 'Bob', channel: 'lark' },
  });
  session.finish('call_1', 'Rejected: Keep it.', { is_error: true });
  session.call('call_2', 'bash', { input: { command: 'sleep 9' } }, { isRunning: true });
  session.endTurn('interrupted');
  expect(lastCardOfAnswer(session.view()).panels).toMatchObject([
    {
      title: '🚫 Run rm a · Denied · 1.5 s',
      lines: ['rm a', '👤 Denied · Bob (lark) “Keep it.”', 'Rejected: Keep it.'],
    },
    {
      title: '⏹ Run sleep 9 · Interrupted',
      color: 'grey',
      lines: ['sleep 9', 'No result came before the turn ended.'],
    },
  ]);
});

/** The last card that is not a question. */
function lastCardOfAnswer(view: SessionView) {
  const post = postsOf(view).findLast(({ key }) => key.startsWith('part '))!;
  return seen(cardIn(post.body));
}

test('input and output are told by their names and as code, and as JSON only where nothing else is known [UAP-32]', () => {
  const session = sessionOf();
  session.turn('go');
  session.call('call_1', 'mystery', {
    input: { path: 'src/a.ts', depth: 2, tags: ['x', 'y'], options: { deep: true, wide: false }, body: 'one\ntwo' },
  });
  session.call('call_2', 'mystery', { input: { options: { deep: [1, 2] } } });
  session.call('call_3', 'mystery', {}, { isRunning: true });
  session.finish('call_3', '{"a":{"b":[1,2,3]},"text":"long enough to be broken into lines, for people to read it"}');
  const [first, second, third] = lastCard(session.view()).panels;
  expect(first?.lines).toEqual([
    'path: src/a.ts',
    'depth: 2',
    'tags: x, y',
    'options: deep, wide',
    'body',
    'one',
    'two',
    'result of call_1',
  ]);
  expect(second?.lines).toEqual(['{"options":{"deep":[1,2]}}', 'result of call_2']);
  expect(third?.lines.slice(0, 3)).toEqual(['{', '  "a": {', '    "b": [']);
});

test('a change is shown as a diff with how many lines came and went [UAP-32]', () => {
  const session = sessionOf();
  session.turn('edit');
  const unified = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3';
  session.call(
    'call_1',
    'edit',
    { input: { filePath: 'a.ts', oldString: 'two', newString: '2' } },
    { isRunning: true },
  );
  session.finish('call_1', '', { diffs: [{ path: 'a.ts', unified }] });
  const card = cardsIn(session.view()).at(-1)!;
  expect(JSON.stringify(card)).toContain(
    JSON.stringify('`a.ts` +2 −1\n```diff\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n```').slice(1, -1),
  );
  expect(seen(card).panels[0]?.title).toBe('✅ Edit a.ts · Success · 0.5 s');
});

test('calls of a call are inside of it, and calls that only look are one panel [UAP-32]', () => {
  const session = sessionOf();
  session.turn('look');
  session.call('task', 'task', { input: { agent: 'explore', description: 'find it' } }, { isRunning: true });
  session.call('inner', 'bash', { input: { command: 'ls' }, parent_tool_use_id: 'task' });
  session.finish('task', 'It is **here**.');
  session.call('a', 'read', { input: { filePath: 'a.ts' } });
  session.call('b', 'grep', { input: { pattern: 'x' } });
  const { allLines } = lastCard(session.view());
  expect(allLines.slice(2)).toEqual([
    '▾ ✅ Task explore: find it · Success · 1.5 s',
    '▾ ✅ Run ls · Success · 0.5 s',
    'ls',
    'result of inner',
    'It is here.',
    '▾ ✅ Read 1 file, searched once · Success · 1.5 s',
    '• ✅ Read a.ts · Success · 0.5 s',
    '• ✅ Search x · Success · 0.5 s',
    '⏳ Working…',
  ]);
});

test('a long output is cut in the middle, and how much is left out is said [UAP-32]', () => {
  const session = sessionOf();
  session.turn('run');
  session.call('call_1', 'bash', { input: { command: 'yes' } }, { isRunning: true });
  session.finish('call_1', `first\n${'y\n'.repeat(500_000)}last`);
  const lines = lastCard(session.view()).panels[0]!.lines;
  expect([lines[1], lines.at(-1)]).toEqual(['first', 'last']);
  expect(lines.filter((line) => line.includes('omitted'))).toEqual([
    expect.stringMatching(/^… \d{6} characters omitted …$/),
  ]);
});

test('a prompt from this very chat is not said again; one from elsewhere is, with who wrote it', () => {
  const session = sessionOf();
  session.turn('Hello <at id=all></at> *you*');
  session.say('Hi.');
  expect(lastCard(session.view()).lines).toEqual([
    '> 👤 Ada (web)',
    '> Hello <at id=all></at> *you*',
    'Hi.',
    '⏳ Working…',
  ]);
  expect(lastCard(session.view(), { ownPrompts: new Map([['pmt_1', 'om_1']]) }).lines).toEqual(['Hi.', '⏳ Working…']);
});

test('a turn whose machine is away says that in the place of its work', () => {
  const session = sessionOf();
  session.turn('Go.');
  const away = { machine: 'de*sk', since: Date.UTC(2026, 2, 1, 14, 5, 59), state: 'gone' as const };

  expect(lastCard(session.view(), { away }).lines.at(-1)).toBe(
    '⚠️ de*sk went offline at 2026-03-01 14:05 UTC. Send /stop to end the turn, or /move to continue on another machine.',
  );
  expect(lastCard(session.view(), { away, language: 'zh' }).lines.at(-1)).toBe(
    '⚠️ de*sk 于 2026-03-01 14:05 UTC 离线。发送 /停止 结束本轮，或发送 /移动 换一台机器继续。',
  );
  expect(lastCard(session.view()).lines.at(-1)).toBe('⏳ Working…');
});

test('images are in the card, and files are messages of their own', () => {
  const session = sessionOf();
  session.turn('draw');
  session.block('assistant', { type: 'image', media_type: 'image/png', url: '/api/attachments/att_1' });
  session.block('assistant', {
    type: 'file',
    name: 'log.txt',
    media_type: 'text/plain',
    url: '/api/attachments/att_2',
  });
  session.block('assistant', { type: 'image', media_type: 'image/png', url: 'https://elsewhere.example/a.png' });
  const [card, file] = postsOf(session.view());
  expect(card?.body).toMatchObject({
    card: {
      body: { elements: [{}, { tag: 'img', img_key: '', dragoman_attachment: '/api/attachments/att_1' }, {}, {}, {}] },
    },
  });
  expect(lastCard(session.view()).lines.slice(2)).toEqual(['[image Image]', '📎 log.txt', '🖼 Image', '⏳ Working…']);
  expect(file).toEqual({
    key: 'file blk_2',
    body: { type: 'file', url: '/api/attachments/att_2', name: 'log.txt', mediaType: 'text/plain' },
    actions: [],
  });
});

test('the end says how it went, what it took and what helps, in the language of the chat', () => {
  const session = sessionOf();
  session.turn('go');
  session.block('agent', { type: 'usage', input_tokens: 12_345, output_tokens: 200, cost_usd: 0.0312 });
  session.endTurn('failed', {
    code: 'unauthenticated',
    message: 'The agent wants a login.',
    fix: 'Run `example login`',
  });
  expect(lastCard(session.view(), { language: 'zh' }).lines).toEqual([
    '> 👤 Ada (web)',
    '> go',
    '❌ 本轮失败 unauthenticated',
    'The agent wants a login.',
    '解决办法: Run example login',
    '1 秒 · 输入 12.3K · 输出 200 · $0.0312',
    '[在控制台打开]',
  ]);
});
