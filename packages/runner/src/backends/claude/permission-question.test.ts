import { expect, test } from 'vitest';
import { claudeQuestion } from './permission-question.ts';

test.for([
  ['Bash', { command: 'git status' }, 'bash', ['git status']],
  ['Edit', { file_path: '/project/src/a.ts' }, 'edit', ['src/a.ts']],
  ['MultiEdit', { file_path: '/project/a.ts', edits: [] }, 'edit', ['a.ts']],
  ['NotebookEdit', { notebook_path: '/elsewhere/n.ipynb' }, 'edit', ['/elsewhere/n.ipynb']],
  ['Read', { file_path: '/etc/hosts' }, 'read', ['/etc/hosts']],
  ['Grep', { pattern: 'x' }, 'read', ['.']],
  ['Grep', { pattern: 'x', path: '/etc' }, 'read', ['/etc']],
  ['Glob', { pattern: 'src/**/*.ts' }, 'read', ['src']],
  ['Glob', { pattern: '../../etc/*' }, 'read', ['/etc']],
  ['Glob', { pattern: '/etc/*.conf', path: 'src' }, 'read', ['/etc']],
  ['WebFetch', { url: 'https://example.com:8080/a', prompt: 'x' }, 'web-fetch', ['example.com:8080']],
  ['WebSearch', { query: 'x' }, 'web-search', []],
  ['Task', { subagent_type: 'Explore', prompt: 'x' }, 'task', ['Explore']],
  ['mcp__github__list_issues', { repo: 'x' }, 'github_list_issues', []],
  ['Sorcery', { spell: 'x' }, 'Sorcery', []],
] as const)('the rules are asked about %s %o as %s', ([name, input, tool, subjects]) => {
  const question = claudeQuestion(name, input, '/project');

  expect(question.tool).toBe(tool);
  expect(question.subjects.map(({ value }) => value)).toEqual(subjects);
});
