import { type Todo, todoSchema } from '@dragoman/protocol';
import { z } from 'zod';
import { Tool } from '../tool.ts';

/** Where a session's list is kept. */
export interface TodoPort {
  read(sessionID: string): readonly Todo[];
  write(sessionID: string, todos: Todo[]): void;
}

const MAX_TODOS = 100;

const parameters = z.object({
  todos: z
    .array(
      todoSchema.extend({
        content: z.string().trim().min(1).max(1000).describe('What is to be done, in a short sentence.'),
        status: todoSchema.shape.status.describe('Where it stands.'),
        priority: todoSchema.shape.priority.describe('How much it matters.'),
      }),
    )
    .max(MAX_TODOS)
    .describe('The whole list, in order; it takes the place of the one before.'),
});

/** The agent's list of what is to be done: one tool writes it, the other reads it. People see it as it changes. */
export function todoTools(port: TodoPort): [write: Tool.Info, read: Tool.Info] {
  const write = Tool.define({
    id: 'todo-write',
    description: [
      'Writes your list of tasks. The person you work for sees it.',
      'Use it for work of three steps or more: write the list before you begin, and keep it true as you go.',
      'Set a task to in_progress when you begin it and to completed when it is done and checked, one by one and not all at the end.',
      'Send the whole list each time. Leave it for small things.',
    ].join('\n'),
    parameters,
    execute: async ({ todos }, { sessionID }) => {
      port.write(sessionID, todos);
      return shown(todos);
    },
  });
  const read = Tool.define({
    id: 'todo-read',
    description: 'Reads your list of tasks, as it was last written.',
    parameters: z.object({}),
    isReadOnly: true,
    execute: async (_input, { sessionID }) => shown(port.read(sessionID)),
  });
  return [write, read];
}

const MARKS: Record<Todo['status'], string> = { pending: ' ', in_progress: '~', completed: 'x', cancelled: '-' };
const STATUS_WORDS: Record<Todo['status'], string> = {
  completed: 'done',
  in_progress: 'in progress',
  pending: 'open',
  cancelled: 'cancelled',
};

function shown(todos: readonly Todo[]): Tool.Result {
  return {
    title: counted(todos),
    output: todos.length === 0 ? 'The list is empty.' : todos.map(line).join('\n'),
    metadata: { todos },
  };
}

function line({ content, status, priority }: Todo): string {
  return `[${MARKS[status]}] ${content}${priority === undefined ? '' : ` (${priority})`}`;
}

function counted(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'No tasks';
  const counts = (Object.keys(STATUS_WORDS) as Todo['status'][])
    .map((status) => [todos.filter((todo) => todo.status === status).length, STATUS_WORDS[status]] as const)
    .filter(([count]) => count > 0);
  return `${todos.length} ${todos.length === 1 ? 'task' : 'tasks'}: ${counts.map(([count, word]) => `${count} ${word}`).join(', ')}`;
}
