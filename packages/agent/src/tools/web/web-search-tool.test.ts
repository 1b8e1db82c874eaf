import { expect, test } from 'vitest';
import { toolContext } from '../tool-context.fixture.ts';
import type { WebSearchResult } from './web-search-engine.ts';
import { webSearchTool } from './web-search-tool.ts';

function engine(results: WebSearchResult[]) {
  const asked: unknown[] = [];
  return {
    asked,
    name: 'Test',
    search: async (question: { query: string; limit: number }) => {
      asked.push(question);
      return results;
    },
  };
}

test('what is found comes as a numbered list of titles, addresses and excerpts [FR-32]', async () => {
  const found = engine([
    {
      title: 'The <b>Node</b> &amp; docs',
      url: 'https://nodejs.example/api',
      snippet: 'About\n <strong>streams</strong>.',
    },
    { title: '', url: 'https://b.example/', snippet: '' },
  ]);

  const result = await webSearchTool(async () => found).execute({ query: 'node streams' }, toolContext().context);

  expect(result).toEqual({
    title: 'node streams',
    output:
      '1. The Node & docs\n   https://nodejs.example/api\n   About streams.\n\n2. https://b.example/\n   https://b.example/',
    metadata: { engine: 'Test', count: 2 },
  });
  expect(found.asked).toEqual([{ query: 'node streams', limit: 8 }]);
});

test('no more results are shown than were asked for, and excerpts are kept short', async () => {
  const found = engine(
    Array.from({ length: 30 }, (_, index) => ({
      title: `${index}`,
      url: `https://${index}.example/`,
      snippet: 'x'.repeat(600),
    })),
  );

  const { output } = await webSearchTool(async () => found).execute({ query: 'a', limit: 99 }, toolContext().context);

  expect(output.match(/^\d+\. /gm)).toHaveLength(20);
  expect(output).toContain(`   ${'x'.repeat(500)}…\n`);
  expect(found.asked).toEqual([{ query: 'a', limit: 20 }]);
});

test('finding nothing is told', async () => {
  const { output } = await webSearchTool(async () => engine([])).execute({ query: 'qqq' }, toolContext().context);

  expect(output).toBe('Test found nothing for "qqq". Try fewer or other words.');
});

test('without an engine the model is told how one is configured', async () => {
  await expect(
    webSearchTool(async () => undefined).execute({ query: 'a' }, toolContext().context),
  ).rejects.toMatchObject({
    name: 'ToolError',
    message: expect.stringContaining('one can be set as "webSearch" in dragoman.json'),
  });
});
