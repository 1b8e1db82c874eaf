import { expect, test } from 'vitest';
import { isToolOffered } from './agent-definition.ts';

test('a tool is offered by its own entry, else by the longest pattern that fits, else anyway', () => {
  const agent = {
    tools: { '*': false, read: true, 'github_*': true, 'github_delete_*': false, github_delete_label: true },
  };
  const tools = ['read', 'edit', 'github_list', 'github_delete_repo', 'github_delete_label'];

  expect(tools.filter((tool) => isToolOffered(agent, tool))).toEqual(['read', 'github_list', 'github_delete_label']);
  expect(isToolOffered({}, 'anything')).toBe(true);
  expect(isToolOffered({ tools: { bash: false } }, 'read')).toBe(true);
  expect(isToolOffered({ tools: { bash: false } }, 'toString')).toBe(true);
});

test('a star stands for any run of characters, in any place', () => {
  const fits = (pattern: string, tool: string) => !isToolOffered({ tools: { [pattern]: false } }, tool);

  expect(fits('*_search', 'code_search')).toBe(true);
  expect(fits('a*b*c', 'axxbyyc')).toBe(true);
  expect(fits('a*b*c', 'axxc')).toBe(false);
  expect(fits('ab*b', 'ab')).toBe(false);
  expect(fits('web-*', 'web')).toBe(false);
});
