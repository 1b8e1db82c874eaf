import { expect, test } from 'vitest';
import { describeToolCall } from './tool-call-title.ts';

test('SYNC-84 a codebase-retrieval call is shown as Context Engine, with what it asks', () => {
  expect(describeToolCall('codebase-retrieval', { information_request: 'where is the login?' })).toEqual({
    title: 'Context Engine',
    description: 'where is the login?',
  });
});

test.each([[undefined], [null], ['text'], [{}], [{ information_request: 7 }], [{ information_request: '' }]])(
  'SYNC-84 with the input %j, as while a call is still written, there is only the title',
  (input) => {
    expect(describeToolCall('codebase-retrieval', input)).toEqual({ title: 'Context Engine' });
  },
);

test('any other tool is called by its name', () => {
  expect(describeToolCall('view', { path: 'a.ts', information_request: 'x' })).toEqual({ title: 'view' });
});

test.each([
  ['bash', { command: 'npm test' }, 'bash', 'npm test'],
  ['bash', { command: '\ncat <<EOF\nhello\nEOF\n' }, 'bash', 'cat <<EOF …'],
  ['read', { filePath: 'src/a.ts' }, 'read', 'src/a.ts'],
  ['read', { filePath: 'src/a.ts', offset: 200, limit: 100 }, 'read', 'src/a.ts:200-299'],
  ['read', { filePath: 'src/a.ts', limit: 50 }, 'read', 'src/a.ts:1-50'],
  ['read', { filePath: 'src/a.ts', offset: 200 }, 'read', 'src/a.ts:200-'],
  ['glob', { pattern: '**/*.ts' }, 'glob', '**/*.ts'],
  ['glob', { pattern: '*.ts', path: 'src' }, 'glob', '*.ts in src'],
  ['grep', { pattern: 'login' }, 'grep', 'login'],
  ['grep', { pattern: 'log  in', path: 'src', include: '*.ts' }, 'grep', 'log in in src *.ts'],
  ['grep', { pattern: 'login', include: '*.ts' }, 'grep', 'login in *.ts'],
  ['edit', { filePath: 'src/a.ts', oldString: 'a', newString: 'b' }, 'edit', 'src/a.ts'],
  ['write', { filePath: 'src/a.ts', content: '' }, 'write', 'src/a.ts'],
  ['apply-patch', { patchText: '*** Begin Patch\n*** Update File: src/a.ts\n' }, 'patch', 'src/a.ts'],
  [
    'apply-patch',
    { patchText: '*** Add File: a.ts\n+x\n*** Update File: b.ts\n*** Delete File: c.ts\n*** Update File: b.ts\n' },
    'patch',
    'a.ts and 2 more',
  ],
  ['task', { agent: 'explore', description: 'find the login', prompt: '…' }, 'task', 'explore: find the login'],
  ['task', { description: 'find the login' }, 'task', 'find the login'],
  ['web-fetch', { url: 'https://example.com' }, 'fetch', 'https://example.com'],
  ['web-search', { query: 'node 24' }, 'web search', 'node 24'],
  ['code-search', { query: 'where is the login?' }, 'code search', 'where is the login?'],
  ['todo-write', { todos: [{ status: 'completed' }, { status: 'pending' }, null] }, 'todos', '1 of 3 done'],
  ['skill', { name: 'release' }, 'skill', 'release'],
])('a call of %s with %j is shown as "%s %s"', (tool, input, title, description) => {
  expect(describeToolCall(tool, input)).toEqual({ title, description });
});

test.each([
  ['bash', 'bash'],
  ['read', 'read'],
  ['glob', 'glob'],
  ['grep', 'grep'],
  ['apply-patch', 'patch'],
  ['task', 'task'],
  ['todo-write', 'todos'],
  ['todo-read', 'todos'],
])('a call of %s whose input is not there yet has only the title "%s"', (tool, title) => {
  expect(describeToolCall(tool, {})).toEqual({ title });
  expect(describeToolCall(tool, undefined)).toEqual({ title });
  expect(describeToolCall(tool, { command: ' \n ', limit: 'x' })).toEqual({ title });
});
