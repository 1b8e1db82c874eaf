import type { RunnerLog } from '@dragoman/runner';
import type { Store } from '@dragoman/server/base';
import type { AgentCalls } from '../agent-calls.ts';
import type { Setup } from '../load-setup.ts';
import type { DragomanConfig } from '../rooms.ts';
import type { WorkplaceHandlers } from './workplace-plugin.ts';

/** What the workplace of a server stands on. */
export interface LazyWorkplaceOptions {
  store: Store;
  setup: Setup;
  config: () => DragomanConfig;
  /** Where the model calls of agents that are tried are noted; without it they are not. */
  calls?: AgentCalls;
  log: RunnerLog;
  /** Aborted when the server stops: what is being tried ends then. */
  stopping: AbortSignal;
}

/** What the console shows and tries of the native agent and of agents, loaded when it is first asked. */
export interface LazyWorkplace {
  handlers(): Promise<WorkplaceHandlers>;
  /** Ends every server and agent that was started for somebody to look at. */
  close(): Promise<void>;
}

/** Makes the workplace of a server, which costs nothing until somebody looks at it. */
export function lazyWorkplace(options: LazyWorkplaceOptions): LazyWorkplace {
  const open = async () => {
    const { openWorkplaceHandlers } = await import('./workplace-handlers.ts');
    return openWorkplaceHandlers(options);
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    handlers: async () => (await (opened ??= open())).handlers,
    close: async () => (await opened)?.close(),
  };
}
