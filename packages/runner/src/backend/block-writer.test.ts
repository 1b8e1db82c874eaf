import type { BackendEvent, ContentBlock } from '@dragoman/protocol';
import { backendEventSchema } from '@dragoman/protocol/schemas';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockWriter } from './block-writer.ts';

/** Events without ids: who says what, as it happened. */
function told(run: (writer: BlockWriter) => void): unknown[] {
  const messages: string[] = [];
  const blocks: string[] = [];
  const events: unknown[] = [];
  const number = (list: string[], id: string) => (list.includes(id) ? list.indexOf(id) : list.push(id) - 1);
  run(
    new BlockWriter((event) => {
      if (event.type === 'block-delta') events.push([number(blocks, event.blockId), event.delta]);
      else if (event.type === 'block-start' || event.type === 'block-stop')
        events.push([
          event.type === 'block-start' ? 'start' : 'stop',
          `${event.role} ${number(messages, event.messageId)}`,
          number(blocks, event.blockId),
          event.block,
        ]);
    }),
  );
  return events;
}

test('the blocks of the example conversation: thoughts, a call, its result, the answer (UAP-01)', () => {
  const events = told((writer) => {
    writer.thinking('Let me ');
    writer.thinking('look.');
    writer.toolUse({ id: 'call_1', name: 'ls', input: { path: './src' } });
    writer.toolResult({ tool_use_id: 'call_1', content: 'index.ts' });
    writer.text('There is ');
    writer.text('index.ts.');
    writer.closeAll();
  });

  expect(events).toEqual([
    ['start', 'assistant 0', 0, { type: 'thinking', thinking: '' }],
    [0, 'Let me '],
    [0, 'look.'],
    ['stop', 'assistant 0', 0, { type: 'thinking', thinking: 'Let me look.' }],
    ['stop', 'assistant 0', 1, { type: 'tool_use', id: 'call_1', name: 'ls', input: { path: './src' } }],
    ['stop', 'user 1', 2, { type: 'tool_result', tool_use_id: 'call_1', content: 'index.ts' }],
    ['start', 'assistant 2', 3, { type: 'text', text: '' }],
    [3, 'There is '],
    [3, 'index.ts.'],
    ['stop', 'assistant 2', 3, { type: 'text', text: 'There is index.ts.' }],
  ]);
});

test('a call whose input comes in pieces is closed with the input they add up to, and its output is shown as it comes', () => {
  const events = told((writer) => {
    writer.toolUse({ id: 'c', name: 'run' }, { isOpen: true });
    writer.toolInput('c', '{"command":');
    writer.toolInput('c', '"make"}');
    writer.toolUse({ id: 'c', title: 'make', kind: 'execute' });
    writer.toolOutput('c', 'cc a.c\n');
    writer.toolOutput('c', 'done\n');
    writer.toolResult({ tool_use_id: 'c', is_error: false });
  });

  expect(events).toEqual([
    ['start', 'assistant 0', 0, { type: 'tool_use', id: 'c', name: 'run', input: {} }],
    [0, '{"command":'],
    [0, '"make"}'],
    [
      'stop',
      'assistant 0',
      0,
      { type: 'tool_use', id: 'c', name: 'run', input: { command: 'make' }, title: 'make', kind: 'execute' },
    ],
    ['start', 'user 1', 1, { type: 'tool_result', tool_use_id: 'c', content: '' }],
    [1, 'cc a.c\n'],
    [1, 'done\n'],
    ['stop', 'user 1', 1, { type: 'tool_result', tool_use_id: 'c', content: 'cc a.c\ndone\n', is_error: false }],
  ]);
});

test('a plan that moves on keeps its place within the turn, and does not cut the text that is being written', () => {
  const events = told((writer) => {
    writer.text('One ');
    writer.plan([{ content: 'look', status: 'in_progress' }]);
    writer.text('moment.');
    writer.plan([{ content: 'look', status: 'completed' }]);
    writer.closeAll();
    writer.plan([{ content: 'write', status: 'pending' }]);
  });

  expect(events).toEqual([
    ['start', 'assistant 0', 0, { type: 'text', text: '' }],
    [0, 'One '],
    ['stop', 'agent 1', 1, { type: 'plan', entries: [{ content: 'look', status: 'in_progress' }] }],
    [0, 'moment.'],
    ['stop', 'agent 1', 1, { type: 'plan', entries: [{ content: 'look', status: 'completed' }] }],
    ['stop', 'assistant 0', 0, { type: 'text', text: 'One moment.' }],
    ['stop', 'agent 2', 2, { type: 'plan', entries: [{ content: 'write', status: 'pending' }] }],
  ]);
});

test('whatever the order of the calls, the blocks are legal: open before a piece, whole at the end, no id twice', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const words = fc.string({ maxLength: 5 });
  const step = fc.oneof(
    words.map((delta) => (writer: BlockWriter) => writer.text(delta)),
    words.map((delta) => (writer: BlockWriter) => writer.thinking(delta)),
    fc
      .tuple(id, fc.boolean(), fc.option(fc.constant({ x: 1 })))
      .map(([call, isOpen, input]) => (writer: BlockWriter) => {
        writer.toolUse({ id: call, name: 'tool', ...(input === null ? {} : { input }) }, { isOpen });
      }),
    fc.tuple(id, words).map(
      ([call, delta]) =>
        (writer: BlockWriter) =>
          writer.toolInput(call, delta),
    ),
    fc.tuple(id, words).map(
      ([call, delta]) =>
        (writer: BlockWriter) =>
          writer.toolOutput(call, delta),
    ),
    fc.tuple(id, fc.option(words)).map(([call, content]) => (writer: BlockWriter) => {
      writer.toolResult({ tool_use_id: call, ...(content === null ? {} : { content }) });
    }),
    fc.constantFrom<(writer: BlockWriter) => void>(
      (writer) => writer.plan([]),
      (writer) => writer.usage({ input_tokens: 1 }),
      (writer) => writer.notice('hm'),
      (writer) => writer.error({ message: 'no' }),
      (writer) => writer.nextMessage(),
      (writer) => writer.closeAll(),
    ),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const events: BackendEvent[] = [];
      const writer = new BlockWriter((event) => events.push(event));
      for (const run of steps) run(writer);
      writer.closeAll();

      expect(mistakes(events)).toEqual([]);
    }),
    { seed: 4, numRuns: rounds(20_000) },
  );
});

/** What a reader could not make sense of. */
function mistakes(events: readonly BackendEvent[]): string[] {
  const found: string[] = [];
  const must = (isSo: boolean, what: string) => void (isSo || found.push(what));
  const open = new Map<string, { type: string; text: string }>();
  const places = new Map<string, string>();
  const roles = new Map<string, string>();
  for (const event of events) {
    must(backendEventSchema.safeParse(event).success, 'an event that is none');
    if (event.type === 'block-delta') {
      const block = open.get(event.blockId);
      must(block !== undefined, 'a piece of no open block');
      if (block !== undefined) block.text += event.delta;
    }
    if (event.type !== 'block-start' && event.type !== 'block-stop') continue;
    const place = `${event.messageId} ${event.block.type}`;
    must((roles.get(event.messageId) ?? event.role) === event.role, 'a message of two roles');
    must((places.get(event.blockId) ?? place) === place, 'a block in two places');
    roles.set(event.messageId, event.role);
    if (event.type === 'block-start') {
      must(!places.has(event.blockId), 'a block that is opened twice');
      open.set(event.blockId, { type: event.block.type, text: '' });
    } else {
      const pieces = open.get(event.blockId);
      must(
        pieces === undefined || (proseOf(event.block) ?? pieces.text) === pieces.text,
        'an end that is not the whole',
      );
      open.delete(event.blockId);
    }
    places.set(event.blockId, place);
  }
  must(open.size === 0, 'a block that was left open');
  return found;
}

function proseOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  return block.type === 'thinking' ? block.thinking : undefined;
}
