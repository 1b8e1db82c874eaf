import type { Todo } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { toolContext } from '../tool-context.fixture.ts';
import { todoTools } from './todo-tools.ts';

function openTodos() {
  const lists = new Map<string, Todo[]>();
  const [write, read] = todoTools({
    read: (sessionID) => lists.get(sessionID) ?? [],
    write: (sessionID, todos) => void lists.set(sessionID, todos),
  });
  return { lists, write, read };
}

const TODOS: Todo[] = [
  { content: 'Read the code', status: 'completed' },
  { content: 'Write the test', status: 'in_progress', priority: 'high' },
  { content: 'Write the code', status: 'in_progress' },
  { content: 'Tell about it', status: 'pending' },
  { content: 'Rewrite it all', status: 'cancelled' },
];

test('a list that is written is kept for its session and shown with its counts [FR-32]', async () => {
  const { lists, write } = openTodos();

  const result = await write.execute({ todos: TODOS }, toolContext({ sessionID: 'ses_1' }).context);

  expect(lists).toEqual(new Map([['ses_1', TODOS]]));
  expect(result).toEqual({
    title: '5 tasks: 1 done, 2 in progress, 1 open, 1 cancelled',
    output: '[x] Read the code\n[~] Write the test (high)\n[~] Write the code\n[ ] Tell about it\n[-] Rewrite it all',
    metadata: { todos: TODOS },
  });
});

test('the list that was written last is read back, each session its own [FR-32]', async () => {
  const { write, read } = openTodos();
  await write.execute({ todos: TODOS.slice(0, 1) }, toolContext({ sessionID: 'ses_1' }).context);

  expect(await read.execute({}, toolContext({ sessionID: 'ses_1' }).context)).toMatchObject({
    title: '1 task: 1 done',
    output: '[x] Read the code',
  });
  expect(await read.execute({}, toolContext({ sessionID: 'ses_2' }).context)).toEqual({
    title: 'No tasks',
    output: 'The list is empty.',
    metadata: { todos: [] },
  });
});

test('a task without words or with a status of its own is not taken', () => {
  const { parameters } = openTodos().write;
  const check = (todo: unknown) =>
    (parameters as { safeParse(value: unknown): { success: boolean } }).safeParse({ todos: [todo] }).success;

  expect(check({ content: 'a', status: 'pending' })).toBe(true);
  expect(check({ content: '  ', status: 'pending' })).toBe(false);
  expect(check({ content: 'a', status: 'someday' })).toBe(false);
});
