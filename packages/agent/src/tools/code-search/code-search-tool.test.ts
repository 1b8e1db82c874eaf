import type { CodePlace, CodeSearch } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { toolContext } from '../tool-context.fixture.ts';
import { codeSearchTool } from './code-search-tool.ts';

function index({ text = '', places = [] as CodePlace[] }) {
  const asked: unknown[] = [];
  const search: CodeSearch = {
    search: async (question, signal) => {
      asked.push(['search', question, signal]);
      return places;
    },
    findSymbol: async () => [],
    retrieve: async (request, signal) => {
      asked.push(['retrieve', request, signal]);
      return text;
    },
  };
  return { asked, open: async () => search };
}

test('a question is answered with the places in the code that matter [FR-32]', async () => {
  const { asked, open } = index({ text: 'Path: src/a.ts\n     1\tconst a = 1;\n' });
  const { context } = toolContext();

  expect(await codeSearchTool(open).execute({ query: 'where is a' }, context)).toEqual({
    title: 'where is a',
    output: 'Path: src/a.ts\n     1\tconst a = 1;\n',
    metadata: { isFound: true },
  });
  expect(asked).toEqual([['retrieve', { query: 'where is a' }, context.abort]]);
});

test('with a limit only so many places are shown, with their lines numbered', async () => {
  const { asked, open } = index({
    places: [
      { path: 'src/a.ts', start: 9, end: 10, score: 1, text: 'one\ntwo\n' },
      { path: 'src/b.ts', start: 1, end: 1, score: 0.5, text: 'three' },
    ],
  });
  const { context } = toolContext();

  const { output } = await codeSearchTool(open).execute({ query: 'numbers', limit: 200 }, context);

  expect(output).toBe('Path: src/a.ts\n     9\tone\n    10\ttwo\nPath: src/b.ts\n     1\tthree');
  expect(asked).toEqual([['search', { query: 'numbers', limit: 50 }, context.abort]]);
});

test('finding nothing is told, with what else to try', async () => {
  const { output } = await codeSearchTool(index({}).open).execute({ query: 'unicorns' }, toolContext().context);

  expect(output).toBe('Nothing in this code base answers "unicorns". Try other words, or look with glob and grep.');
});

test('the index is opened only when a question is asked, and a call that was cancelled asks nothing', async () => {
  const { asked, open } = index({});
  let opened = 0;
  const tool = codeSearchTool(() => {
    opened++;
    return open();
  });
  expect(opened).toBe(0);

  const { context } = toolContext({ abort: AbortSignal.abort(new Error('called off')) });
  await expect(tool.execute({ query: 'a' }, context)).rejects.toThrow('called off');
  expect([opened, asked]).toEqual([1, []]);
});

test('places in files that may not be read are not shown, with a limit or without [ACC-21]', async () => {
  const places = [
    { path: 'src/a.ts', start: 1, end: 1, score: 1, text: 'const a = 1;' },
    { path: 'conf/.env', start: 1, end: 1, score: 0.9, text: 'KEY=1' },
  ];
  const text = 'The following:\nPath: conf/.env\n     1\tKEY=1\nPath: src/a.ts\n     1\tconst a = 1;\n';
  const { asked, open } = index({ text, places });
  const { context } = toolContext();
  const seen: unknown[] = [];
  const tool = codeSearchTool(open, (path, { agent }) => {
    seen.push(agent);
    return !path.endsWith('.env');
  });

  expect((await tool.execute({ query: 'keys' }, context)).output).toBe('Path: src/a.ts\n     1\tconst a = 1;');
  expect((await tool.execute({ query: 'keys', limit: 2 }, context)).output).toBe(
    'Path: src/a.ts\n     1\tconst a = 1;',
  );
  expect(asked.map((each) => (each as unknown[])[0])).toEqual(['retrieve', 'search', 'search']);
  expect(seen).toContain(context.agent);
  expect((await codeSearchTool(open, () => false).execute({ query: 'keys' }, context)).metadata).toEqual({
    isFound: false,
  });
});
