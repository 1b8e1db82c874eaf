import { expect, test } from 'vitest';
import { JsonRpcConnection, JsonRpcError, type JsonRpcOptions } from './json-rpc.ts';

/** Two connections that talk to each other, and what each of them reported. */
function pair(left: Partial<JsonRpcOptions> = {}, right: Partial<JsonRpcOptions> = {}) {
  const problems: string[] = [];
  const onProblem = (problem: string) => void problems.push(problem);
  const a = new JsonRpcConnection({ peer: 'b', write: (line) => void b.receive(line), onProblem, ...left });
  const b: JsonRpcConnection = new JsonRpcConnection({
    peer: 'a',
    write: (line) => void a.receive(line),
    onProblem,
    ...right,
  });
  return { a, b, problems };
}

test('both sides ask and answer, also while they wait for each other', async () => {
  const { a, b } = pair(
    { onRequest: (method) => (method === 'may-i' ? { yes: true } : undefined) },
    { onRequest: async (method, params) => [method, params, await b.request('may-i')] },
  );

  expect(await a.request('prompt', { text: 'hi' })).toEqual(['prompt', { text: 'hi' }, { yes: true }]);
});

test('an error of the other side keeps its number, message and data', async () => {
  const { a } = pair(
    {},
    {
      onRequest: () => {
        throw new JsonRpcError(-32_000, 'log in first', { methods: ['oauth'] });
      },
    },
  );

  await expect(a.request('session/new')).rejects.toMatchObject({
    rpcCode: -32_000,
    message: 'log in first',
    data: { methods: ['oauth'] },
  });
});

test('lines that are no messages are reported, and the connection goes on', async () => {
  const { a, problems } = pair({}, { onRequest: () => 'pong' });

  for (const line of ['Loading model…', '7', '{"id":99,"result":1}', 'null', '[1]']) a.receive(line);

  expect(await a.request('ping')).toBe('pong');
  expect(problems).toEqual([
    'a line that is not JSON: Loading model…',
    'a message that is not an object',
    'an answer to nothing, id 99',
    'a message that is not an object',
    'a message that is not an object',
  ]);
});

test('a request that is not answered in time fails, tells the other side, and a late answer is ignored', async () => {
  const sent: string[] = [];
  const given: number[] = [];
  const a = new JsonRpcConnection({ peer: 'gemini', write: (line) => void sent.push(line), hasVersion: false });

  await expect(
    a.request('initialize', undefined, { timeoutMs: 1, onGivenUp: (id) => given.push(id) }),
  ).rejects.toMatchObject({ code: 'timed-out', message: 'gemini did not answer initialize within 0.001 s' });
  a.receive('{"id":1,"result":{}}');

  expect(sent).toEqual(['{"id":1,"method":"initialize"}']);
  expect(given).toEqual([1]);
});

test('a request can be called off', async () => {
  const a = new JsonRpcConnection({ peer: 'b', write: () => {} });
  const off = new AbortController();

  const asked = a.request('turn', {}, { signal: off.signal, timeoutMs: Infinity });
  off.abort();

  await expect(asked).rejects.toMatchObject({ code: 'cancelled', message: 'turn was cancelled' });
});

test('when the other side is gone, everything that waits for it fails with the reason, and so does what comes later', async () => {
  const a = new JsonRpcConnection({ peer: 'b', write: () => {} });

  const asked = a.request('turn');
  a.close(new Error('it exited with code 1'));

  await expect(asked).rejects.toThrow('it exited with code 1');
  await expect(a.request('turn')).rejects.toThrow('it exited with code 1');
});

test('a request nobody knows is answered with "method not found", a handler that fails with its message', async () => {
  const nobody = pair();
  await expect(nobody.a.request('fs/read')).rejects.toMatchObject({ rpcCode: -32_601 });

  const failing = pair(
    {},
    {
      onRequest: () => {
        throw new Error('no such file');
      },
    },
  );
  await expect(failing.a.request('fs/read')).rejects.toMatchObject({ rpcCode: -32_603, message: 'no such file' });
});
