import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { UpdateQueue } from './update-queue.ts';

/** A client that takes an update when the test says so. */
function slowClient() {
  const taken: SessionUpdate[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const queue = new UpdateQueue((update) => {
    taken.push(update);
    const written = Promise.withResolvers<void>();
    waiting.push(written);
    return written.promise;
  });
  return {
    queue,
    taken,
    async readAll() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        next.resolve();
        await new Promise(setImmediate);
      }
      await queue.drained();
    },
    fail: () => waiting.shift()!.reject(new Error('gone')),
  };
}

const said = (text: string, messageId = 'prt_1'): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
const call = (fields: object, toolCallId = 'prt_c'): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  ...fields,
});

test('what waits for a slow client is joined, and keeps its order', async () => {
  const { queue, taken, readAll } = slowClient();

  for (const text of ['a', 'b', 'c']) queue.push(said(text));
  queue.push(said('d', 'prt_2'));
  queue.push({ sessionUpdate: 'agent_thought_chunk', messageId: 'prt_2', content: { type: 'text', text: 'e' } });
  queue.push({ sessionUpdate: 'agent_thought_chunk', messageId: 'prt_2', content: { type: 'text', text: 'f' } });
  await readAll();

  expect(taken).toEqual([
    said('a'),
    said('bc'),
    said('d', 'prt_2'),
    { sessionUpdate: 'agent_thought_chunk', messageId: 'prt_2', content: { type: 'text', text: 'ef' } },
  ]);
});

test('no state of a call is skipped', async () => {
  const { queue, taken, readAll } = slowClient();

  queue.push(said('a'));
  queue.push(call({ title: 'bash' }));
  queue.push(call({ status: 'in_progress' }));
  queue.push(call({ content: [] }));
  queue.push(call({ title: 'bash ls' }));
  queue.push(call({ status: 'in_progress' }, 'prt_d'));
  queue.push(call({ status: 'completed' }));
  await readAll();

  expect(taken.slice(1)).toEqual([
    call({ title: 'bash' }),
    call({ status: 'in_progress', content: [], title: 'bash ls' }),
    call({ status: 'in_progress' }, 'prt_d'),
    call({ status: 'completed' }),
  ]);
});

test('nothing waits for a client that is gone', async () => {
  const { queue, taken, fail } = slowClient();

  queue.push(said('a'));
  queue.push(call({}));
  fail();
  await queue.drained();
  queue.push(said('b'));
  await queue.drained();

  expect(taken).toEqual([said('a')]);
});
