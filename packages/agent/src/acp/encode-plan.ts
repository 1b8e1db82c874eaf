import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Todo } from '@dragoman/protocol';

/** The list of todos as a plan. What was given up is not in it: a plan knows only what is to be done, and what is. */
export function encodePlan(todos: readonly Todo[]): SessionUpdate {
  return {
    sessionUpdate: 'plan',
    entries: todos.flatMap(({ content, status, priority = 'medium' }) =>
      status === 'cancelled' ? [] : [{ content, status, priority }],
    ),
  };
}
