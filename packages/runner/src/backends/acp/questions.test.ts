import { askedAbout, type BackendEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { BlockWriter } from '../../backend/block-writer.ts';
import { OpenApprovals } from '../../backend/open-approvals.ts';
import { Questions } from './questions.ts';
import { ToolCalls } from './tool-calls.ts';

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

function scene({ hasTellingTitles = false } = {}) {
  const events: BackendEvent[] = [];
  const emit = (event: BackendEvent) => void events.push(event);
  const approvals = new OpenApprovals(emit);
  const terminals = { follow: () => () => {}, outputOf: () => undefined };
  const calls = new ToolCalls({
    writer: new BlockWriter(emit),
    terminals,
    cwd: '/p',
    onOver: () => {},
    isContinued: false,
  });
  const asked = () => events.flatMap((event) => (event.type === 'approval-asked' ? [event.approval] : []));
  return {
    calls,
    approvals,
    asked,
    events,
    questions: new Questions({ approvals, calls, cwd: '/p', hasTellingTitles }),
  };
}

const toolCall = { toolCallId: 'a-long-random-id-1', kind: 'execute', title: 'Run ls', rawInput: { command: 'ls' } };

test('a question carries the call as it was told, so that every screen shows what would run', async () => {
  const { questions, asked, approvals } = scene();
  const answer = questions.ask({ toolCall, options: OPTIONS });
  expect(asked()).toMatchObject([{ title: 'Run ls', call: { name: 'execute', input: { command: 'ls' } } }]);
  approvals.answer(asked()[0]!.id, { type: 'selected', optionId: 'yes' });
  expect(await answer).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
});

test('a call that is told otherwise while it is asked about is asked about anew; an answer to the old question counts for nothing', async () => {
  const { questions, calls, asked, approvals, events } = scene();
  const answer = questions.ask({ toolCall, options: OPTIONS });
  calls.take({ sessionUpdate: 'tool_call_update', toolCallId: toolCall.toolCallId, rawInput: { command: 'rm -r x' } });
  await expect.poll(() => asked().length).toBe(2);
  const [first, second] = asked();
  expect(second).toMatchObject({
    call: { input: { command: 'rm -r x' } },
    question: { tool: 'bash', subjects: [{ kind: 'command', value: 'rm -r x' }] },
  });
  expect(events).toContainEqual({ type: 'approval-withdrawn', approvalId: first!.id });
  approvals.answer(first!.id, { type: 'selected', optionId: 'yes' });
  approvals.answer(second!.id, { type: 'rejected' });
  expect(await answer).toEqual({ outcome: { outcome: 'selected', optionId: 'no' } });
});

test('news of a call that would do the same ask nobody again', async () => {
  const { questions, calls, asked, approvals } = scene();
  const answer = questions.ask({ toolCall, options: OPTIONS });
  calls.take({ sessionUpdate: 'tool_call_update', toolCallId: toolCall.toolCallId, title: 'Lists files' });
  approvals.answer(asked()[0]!.id, { type: 'selected', optionId: 'yes' });
  expect(await answer).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
  calls.take({ sessionUpdate: 'tool_call_update', toolCallId: toolCall.toolCallId, rawInput: { command: 'ls', x: 1 } });
  expect(asked()).toHaveLength(1);
});

test('of a call without arguments its own words are told, whether they came with the call or with the question', async () => {
  const { questions, calls, asked } = scene();
  const content = [{ type: 'content', content: { type: 'text', text: 'rm -rf ~/work' } }];
  const said = { toolCallId: 'a-long-random-id-2', kind: 'execute', title: 'Run command' };
  calls.take({ sessionUpdate: 'tool_call', ...said, content });
  void questions.ask({ toolCall: { toolCallId: said.toolCallId }, options: OPTIONS });
  void questions.ask({ toolCall: { ...said, toolCallId: 'a-long-random-id-3', content }, options: OPTIONS });
  expect(asked().map(({ title, reason }) => [title, reason])).toEqual([
    ['Run command', 'rm -rf ~/work'],
    ['Run command', 'rm -rf ~/work'],
  ]);
});

test.each(['execute', 'edit', 'fetch', 'other', undefined])(
  'a call of the kind %s that only has a title is not told, neither by the question nor in the session',
  async (kind) => {
    const { questions, calls, asked, events } = scene();
    const titled = { toolCallId: 'a-long-random-id-4', title: 'ls', status: 'pending', ...(kind && { kind }) };
    calls.take({ sessionUpdate: 'tool_call', ...titled });
    void questions.ask({ toolCall: titled, options: OPTIONS, description: 'Lists the files' });
    void questions.ask({ toolCall: { title: 'ls', kind }, options: OPTIONS });
    expect(asked().map(({ call, toolUseId }) => [call, typeof toolUseId])).toEqual([
      [undefined, 'string'],
      [undefined, 'string'],
    ]);
    expect(events.filter(({ type }) => type === 'block-stop')).toEqual([]);
  },
);

test.each([
  ['its change', { kind: 'edit', content: [{ type: 'diff', path: '/p/a', oldText: 'x', newText: 'y' }] }],
  ['its place', { kind: 'read', locations: [{ path: '/p/a' }] }],
  ['its arguments, of which there are none', { kind: 'other', rawInput: {} }],
])('a call is told by %s', async (_what, told) => {
  const { questions, asked } = scene();
  void questions.ask({ toolCall: { toolCallId: 'a-long-random-id-5', title: 'Look', ...told }, options: OPTIONS });
  expect(asked().map((approval) => askedAbout(approval).isWhole)).toEqual([true]);
});

test('a title tells the call of an agent that is known to say all in it, and no rule can be made of it', async () => {
  const { questions, asked } = scene({ hasTellingTitles: true });
  const title = 'ls -l [current working directory /p] (Lists the files)';
  void questions.ask({ toolCall: { toolCallId: 'a-long-random-id-6', kind: 'execute', title }, options: OPTIONS });
  expect(asked()).toMatchObject([{ reason: title, question: { tool: 'bash', subjects: [] } }]);
  expect(askedAbout(asked()[0]!).isWhole).toBe(true);
});
