import { expect, test } from 'vitest';
import { z } from 'zod';
import { estimateToolTokens } from '../compaction/estimate-tokens.ts';
import { describeTool } from '../tools/tool-registry.ts';
import { Tool } from '../tools/tool.ts';
import { toolContext } from './mcp.fixture.ts';
import { rankTools } from './rank-tools.ts';
import { toolSearch } from './tool-search.ts';

const tokensOf = (counted: readonly Tool.Info[]) => estimateToolTokens(counted.map(describeTool));

const named = (id: string, description: string): Tool.Info =>
  Tool.define({
    id,
    description,
    parameters: { type: 'object', properties: {} },
    execute: () => Promise.resolve({ title: '', output: '' }),
  });

const tools = [
  named('github_list_issues', 'Lists the issues of a repository, with their labels.'),
  named('github_create_pull_request', 'Opens a pull request from one branch into another.'),
  named('calendar_create_event', 'Puts an event into the calendar.'),
  named('mail_sendMessage', 'Sends an e-mail. Attachments of a repository may be added, and labels, and issues.'),
  named('wiki_search', '在知识库中搜索文章'),
];

const idsFor = (query: string, limit = 5) => rankTools(tools, query, limit).map(({ id }) => id);

test('tools are found by the words of their names and descriptions, the best first', () => {
  expect(idsFor('open a pull request')[0]).toBe('github_create_pull_request');
  expect(idsFor('issue labels', 1)).toEqual(['github_list_issues']);
  expect(idsFor('send messages')).toEqual(['mail_sendMessage']);
  expect(idsFor('搜索')).toEqual(['wiki_search']);
  expect(idsFor('calendar_create_event')[0]).toBe('calendar_create_event');
  expect(idsFor('astronomy')).toEqual([]);
  expect(idsFor('')).toEqual([]);
  expect(rankTools([], 'anything', 5)).toEqual([]);
});

test('while all definitions fit the budget, they are sent and there is nothing to search', () => {
  expect(toolSearch({ tools, budgetTokens: tokensOf(tools), onFound: () => {} })).toBeUndefined();
});

test('above the budget a search stands in for all of them, and what it finds is enabled', async () => {
  const found: string[][] = [];
  const search = toolSearch({
    tools,
    budgetTokens: tokensOf(tools) - 1,
    onFound: (ids) => found.push([...ids]),
  })!;

  expect([...search.hidden]).toEqual(tools.map(({ id }) => id));
  expect(search.tool.id).toBe('tool-search');
  expect(search.tool.description).toContain('They are: calendar_create_event, github_create_pull_request,');
  expect(await search.tool.execute({ query: 'pull request' }, toolContext())).toEqual({
    title: 'pull request',
    output:
      'These can be called from your next step on:\n' +
      '- github_create_pull_request: Opens a pull request from one branch into another.',
    metadata: { found: ['github_create_pull_request'] },
  });
  await expect(search.tool.execute({ query: 'astronomy' }, toolContext())).rejects.toThrow(
    'None of the 5 tools has to do with "astronomy"',
  );
  expect(found).toEqual([['github_create_pull_request']]);
});

test('names are left out of the description where they alone would take too much, and long descriptions are cut', async () => {
  const many = Array.from({ length: 50 }, (_, index) =>
    named(`server_tool_number_${index}`, `Number ${index}. `.repeat(40)),
  );
  const search = toolSearch({ tools: many, budgetTokens: 100, onFound: () => {} })!;

  expect(search.tool.description).toMatch(/^Finds more tools\. 50 tools .* next step on\.$/);
  const { output } = await search.tool.execute({ query: 'number 7' }, toolContext());
  expect(output.split('\n')).toHaveLength(9);
  expect(output.split('\n')[1]).toMatch(/^- server_tool_number_7: Number 7\. .{150,200}…$/);
});

test('a definition is counted alike, whatever its schema is written in', () => {
  const parameters = z.object({ query: z.string() });
  const execute = () => Promise.resolve({ title: '', output: '' });
  const written = Tool.define({ id: 'x', description: 'y', parameters, execute });
  const foreign = Tool.define({ id: 'x', description: 'y', parameters: describeTool(written).inputSchema, execute });

  expect(tokensOf([written])).toBeGreaterThan(10);
  expect(tokensOf([written])).toBe(tokensOf([foreign]));
});
