import { DragomanError, type OutboxRecord, type RunnerHello } from '@dragoman/protocol';
import { rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SILENT_LOG } from '../runner-log.ts';
import { joinDeltas } from './join-deltas.ts';
import { MemoryHub } from './memory-hub.fixture.ts';
import { Outbox } from './outbox.ts';
import { sendOutbox, type SendOutboxOptions } from './send-outbox.ts';

const delta = (text: string, blockId = 'b'): OutboxRecord => ({
  sessionId: 'ses_1',
  at: 1,
  event: { type: 'block-delta', blockId, delta: text },
});
const text = (type: 'block-start' | 'block-stop', blockId: string, said: string): OutboxRecord => ({
  sessionId: 'ses_1',
  at: 1,
  event: { type, messageId: 'm', role: 'assistant', blockId, block: { type: 'text', text: said } },
});

/** An outbox whose loop runs until the test ends. */
function start(hub: MemoryHub, options: Partial<SendOutboxOptions> & { folder?: string } = {}) {
  const outbox = new Outbox(options.folder ?? tempFolder(), SILENT_LOG, { segmentBytes: 4_000, memoryBytes: 2_000 });
  const stopping = new AbortController();
  const hello = async (): Promise<RunnerHello> => ({
    id: outbox.runnerId,
    name: 'here',
    host: 'here',
    version: '1',
    isShared: false,
    folders: [],
    agents: [],
    outboxId: outbox.outboxId,
  });
  const finished = sendOutbox({
    outbox,
    link: hub,
    hello,
    onMessage: () => {},
    signal: stopping.signal,
    log: SILENT_LOG,
    retry: { firstMs: 1, maxMs: 2 },
    ...options,
  });
  finished.catch(() => {});
  const stop = async () => {
    stopping.abort();
    await finished.catch(() => {});
    outbox.close();
  };
  onTestFinished(stop);
  return { outbox, finished, stop };
}

/** The text of each block, as a reader would have it. */
function textOf(records: readonly OutboxRecord[]): Record<string, string> {
  const blocks: Record<string, string> = {};
  for (const record of records) {
    if (!('event' in record)) continue;
    const { event } = record;
    if (event.type === 'block-delta') blocks[event.blockId] = (blocks[event.blockId] ?? '') + event.delta;
    if (event.type === 'block-start') blocks[event.blockId] = '';
    if (event.type === 'block-stop' && event.block.type === 'text') blocks[event.blockId] = event.block.text;
  }
  return blocks;
}

test('what many agents say in one turn of the event loop is one batch, so that others get at the store between two', async () => {
  const hub = new MemoryHub();
  const { outbox } = start(hub);
  await hub.until(() => hub.isListening);

  // Each comes after all promises that the one before it settled, as what is read from several pipes does.
  for (const agent of ['a', 'b', 'c', 'd', 'e']) {
    outbox.append([text('block-stop', agent, 'said')]);
    for (let settled = 0; settled < 100; settled++) await Promise.resolve();
  }
  await hub.until(() => hub.records.length === 5);

  expect(hub.batches.map(({ records }) => records.length)).toEqual([5]);
});

test('what waits is handed over before commands are asked for, and what comes is handed over as it comes', async () => {
  const hub = new MemoryHub();
  const folder = tempFolder();
  const before = new Outbox(folder, SILENT_LOG);
  before.append([delta('from before')]);
  before.close();
  let isListeningAtFirst: boolean | undefined;
  hub.onBatch = () => {
    isListeningAtFirst ??= hub.isListening;
  };
  const { outbox } = start(hub, { folder });
  await hub.until(() => hub.isListening);
  outbox.append([delta('now')]);
  await hub.until(() => hub.records.length === 2);

  expect(isListeningAtFirst).toBe(false);
  expect(hub.records).toEqual([delta('from before'), delta('now')]);
});

test('more of a text waits a moment for what follows it, and goes with the first thing that does not wait', async () => {
  const hub = new MemoryHub();
  const { outbox } = start(hub, { gatherMs: 60_000 });
  await hub.until(() => hub.isListening);
  outbox.append([text('block-start', 'b', '')]);
  outbox.append([delta('The ')]);
  await hub.until(() => hub.records.length === 2);
  for (const word of ['quick ', 'brown ', 'fox']) {
    outbox.append([delta(word)]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  outbox.append([text('block-stop', 'b', 'The quick brown fox')]);
  await hub.until(() => hub.records.length === 6);

  expect(hub.batches.map(({ records }) => records.length)).toEqual([2, 4]);
});

test('more of a text that nothing follows is handed over by itself', async () => {
  const hub = new MemoryHub();
  const { outbox } = start(hub, { gatherMs: 2 });
  await hub.until(() => hub.isListening);
  for (const word of ['The ', 'quick ', 'brown ', 'fox']) {
    outbox.append([delta(word)]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await hub.until(() => hub.records.length === 4);

  expect(textOf(hub.records)).toEqual({ b: 'The quick brown fox' });
});

test('whatever is lost on the way, the hub gets every text once and in order', async () => {
  const trouble = fc.constantFrom('none', 'none', 'request lost', 'answer lost', 'late', 'cut');
  const word = fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'yy', 'zzz'.repeat(300)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(trouble, { maxLength: 12 }),
      fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 12 }),
      async (troubles, groups) => {
        const hub = new MemoryHub();
        const coming = [...troubles];
        const isOver: Promise<unknown>[] = [];
        hub.onBatch = (batch) => {
          const now = coming.shift();
          if (now === 'cut') hub.cut();
          if (now === 'request lost') throw new Error('lost');
          if (now !== 'late') return;
          // It arrives after the sender has given up on it.
          isOver.push(new Promise((resolve) => setImmediate(resolve)).then(() => hub.send('', batch).catch(() => {})));
          throw new Error('no answer');
        };
        hub.onTaken = () => {
          if (coming.shift() === 'answer lost') throw new Error('lost');
        };
        const { outbox, stop } = start(hub);
        const expected: Record<string, string> = {};
        outbox.append([{ handled: 1 }]);
        for (const group of groups) {
          for (const [block, said] of group) {
            outbox.append([delta(said, block)]);
            expected[block] = (expected[block] ?? '') + said;
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
        await hub.until(() => hub.records.length === outbox.last);
        await Promise.all(isOver);
        await stop();

        expect(textOf(hub.records)).toEqual(expected);
      },
    ),
    { seed: 5, numRuns: rounds(2_000) },
  );
});

test('a hub that does not accept what the runner sends is not told as one that cannot be reached', async () => {
  const hub = new MemoryHub();
  const warnings: unknown[] = [];
  hub.onHello = () => {
    if (hub.hellos.length < 2) throw new DragomanError('bad-request', 'name: expected something to see');
  };
  start(hub, {
    log: {
      ...SILENT_LOG,
      warn: (fields, told) => warnings.push([(fields as { err: Error }).err.message, told]),
    },
  });
  await hub.until(() => hub.isListening);

  expect(warnings).toEqual([
    ['name: expected something to see', 'the hub does not accept what this runner sends; trying again'],
  ]);
});

test('a token that is refused ends it, with what to do', async () => {
  const hub = new MemoryHub();
  hub.onHello = () => {
    throw new DragomanError('unauthenticated', 'the token was revoked');
  };
  const { finished } = start(hub);

  await expect(finished).rejects.toMatchObject({
    code: 'unauthenticated',
    message:
      'the hub refused this runner: the token was revoked; give it a token that is valid there, of a member or an admin',
  });
});

test.each([
  { patienceMs: 300_000, refusals: 3, outcome: 'went on' },
  { patienceMs: 0, refusals: 1, outcome: 'forbidden' },
])(
  'a hub that knew this runner and refuses it is asked again for a while ($patienceMs ms)',
  async ({ patienceMs, refusals, outcome }) => {
    const hub = new MemoryHub();
    const { outbox, finished } = start(hub, { patienceMs });
    outbox.append([delta('before')]);
    await hub.until(() => hub.records.length === 1 && hub.isListening);
    let refused = 0;
    hub.onHello = () => {
      if (refused === refusals) return;
      refused += 1;
      throw new DragomanError('forbidden', 'the door is closed');
    };
    hub.onBatch = () => {
      hub.onBatch = () => {};
      throw new DragomanError('forbidden', 'the door is closed');
    };

    outbox.append([delta(' and after')]);
    const ended = finished.then(
      () => 'stopped',
      (error: unknown) => (error as DragomanError).code,
    );
    const wentOn = hub.until(() => hub.records.length === 2).then(() => 'went on');
    expect(await Promise.race([ended, wentOn])).toBe(outcome);
    expect(refused).toBe(refusals);
  },
);

test('a batch that is too large is sent in smaller ones, and a record that is too large by itself is replaced by saying so', async () => {
  const hub = new MemoryHub();
  hub.onBatch = (batch) => {
    if (JSON.stringify(batch).length > 2_000) throw new DragomanError('too-large', 'over 2000 bytes');
  };
  const { outbox } = start(hub);
  const result = (content: string): OutboxRecord => ({
    sessionId: 'ses_1',
    at: 1,
    event: {
      type: 'block-stop',
      messageId: 'm',
      role: 'user',
      blockId: 'r',
      block: { type: 'tool_result', tool_use_id: 'c', content },
    },
  });
  outbox.append([delta('a'.repeat(1_000))]);
  outbox.append([delta('b'.repeat(1_000))]);
  outbox.append([result('c'.repeat(5_000))]);
  outbox.append([delta('d')]);
  await hub.until(() => hub.records.length === 4);

  expect(hub.records).toEqual([
    delta('a'.repeat(1_000)),
    delta('b'.repeat(1_000)),
    result('What the agent sent here was too large to be passed on.'),
    delta('d'),
  ]);
});

test('a hub that was set back to an earlier state gets what is here under a new name', async () => {
  const hub = new MemoryHub();
  const renewed: (readonly string[])[] = [];
  const { outbox } = start(hub, { onRenewed: (sessionIds) => void renewed.push(sessionIds) });
  for (let at = 0; at < 50; at++) outbox.append([delta('x'.repeat(200))]);
  while (outbox.pending > 0) await new Promise((resolve) => setImmediate(resolve));
  hub.taken.clear();
  hub.cut();
  await hub.until(() => hub.hellos.length === 3);
  outbox.append([delta('new')]);
  await hub.until(() => hub.records.some((record) => 'event' in record && JSON.stringify(record).includes('new')));

  expect(renewed).toEqual([['ses_1']]);
  expect(hub.hellos.map((hello) => hello.outboxId === hub.hellos[0]!.outboxId)).toEqual([true, true, false]);
});

test('pieces of a block are sent as one, and not at all where the whole of it follows', () => {
  const records = [
    { handled: 4 },
    text('block-start', 'b', ''),
    delta('one '),
    delta('other', 'c'),
    delta('two'),
    text('block-stop', 'b', 'one two'),
    delta('x', 'd'),
    delta('y', 'd'),
  ];

  expect(joinDeltas(records, { handled: undefined, joinsPieces: true })).toEqual([
    { handled: 4 },
    text('block-start', 'b', ''),
    { handled: 4 },
    delta('other', 'c'),
    { handled: 4 },
    text('block-stop', 'b', 'one two'),
    { handled: 4 },
    delta('xy', 'd'),
  ]);
});

test('a hub that was never reached is not called lost, one that was there is', async () => {
  const hub = new MemoryHub();
  const warnings: string[] = [];
  hub.onHello = () => {
    if (hub.hellos.length < 3) throw new DragomanError('unavailable', 'nobody is there');
  };
  const connections: boolean[] = [];
  start(hub, {
    log: { ...SILENT_LOG, warn: (_fields, told) => warnings.push(told) },
    onConnection: (isConnected) => connections.push(isConnected),
  });
  await vi.waitUntil(() => connections.includes(true), { timeout: 60_000 });
  hub.cut();
  await vi.waitUntil(() => connections.length === 3, { timeout: 60_000 });

  expect(warnings).toEqual([
    'the hub cannot be reached; trying again',
    'the connection to the hub is lost; trying again',
  ]);
});
