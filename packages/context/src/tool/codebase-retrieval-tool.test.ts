import { idSchema } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { callCodebaseRetrieval, codebaseRetrievalTool } from './codebase-retrieval-tool.ts';

test('SYNC-79 the tool is codebase-retrieval in version 2, and takes one required text: the information wanted', () => {
  const { name, version, inputSchema } = codebaseRetrievalTool;

  expect({ name, version, inputSchema }).toEqual({
    name: 'codebase-retrieval',
    version: 2,
    inputSchema: {
      type: 'object',
      properties: {
        information_request: { type: 'string', description: 'The information you want, in plain words.' },
      },
      required: ['information_request'],
    },
  });
});

test('SYNC-80 its description makes five points', () => {
  const points = codebaseRetrievalTool.description.split('\n').filter((line) => /^\d\. /.test(line));

  expect(points).toEqual([
    expect.stringMatching(/^1\. .*plain language/),
    expect.stringMatching(/^2\. .*whole code base.*relevant/),
    expect.stringMatching(/^3\. .*always up to date/),
    expect.stringMatching(/^4\. .*across programming languages/),
    expect.stringMatching(/^5\. .*only the current state.*on disk.*nothing of version control/),
  ]);
});

test('SYNC-80 the words are our own', () => {
  expect(codebaseRetrievalTool.description).not.toMatch(/augment|world's best|proprietary|highest-quality|real-time/i);
});

test('SYNC-82 a call that succeeds returns the retrieval as its text, and the request id', async () => {
  const asked: unknown[] = [];
  const { signal } = new AbortController();
  const retrieve = async (...args: unknown[]) => {
    asked.push(...args);
    return 'Path: a.ts\n';
  };

  expect(
    await callCodebaseRetrieval(retrieve, { information_request: ' where? ', other: 1 }, { requestId: 'r-1', signal }),
  ).toEqual({ text: 'Path: a.ts\n', requestId: 'r-1', isError: false });
  expect(asked).toEqual([{ query: 'where?' }, signal]);
});

test('SYNC-82 a call without a request id is given one', async () => {
  const { requestId } = await callCodebaseRetrieval(async () => '', { information_request: 'x' });

  expect(idSchema('req').safeParse(requestId).success).toBe(true);
});

test.each([
  [new Error('the index is closed'), 'the index is closed'],
  ['a plain text', 'a plain text'],
])('SYNC-83 a call that fails with %o returns that as an error, and the request id', async (thrown, message) => {
  const retrieve = () => {
    // oxlint-disable-next-line typescript/only-throw-error -- others do
    throw thrown;
  };

  expect(await callCodebaseRetrieval(retrieve, { information_request: 'x' }, { requestId: 'r-2' })).toEqual({
    text: `Failed to retrieve codebase information: ${message}`,
    requestId: 'r-2',
    isError: true,
  });
});

test.each([[{}], [null], ['x'], [{ information_request: '  ' }], [{ information_request: 7 }]])(
  'SYNC-83 the input %j asks nothing, which is an error and reaches no search',
  async (input) => {
    const retrieve = () => Promise.reject(new Error('asked'));

    expect((await callCodebaseRetrieval(retrieve, input)).text).toBe(
      'Failed to retrieve codebase information: information_request must be a text that asks something',
    );
  },
);
