import type { Context, ContextOptions } from '@dragoman/context';
import type { LazyHandlers } from '@dragoman/context/setup';

/** The context engine, loaded and opened when it is first asked: most of a server's start is loading code. */
export function lazyContext(options: ContextOptions): { handlers: LazyHandlers; close(): Promise<void> } {
  let context: Promise<Context> | undefined;
  return {
    handlers: async () => {
      context ??= import('@dragoman/context').then(({ openContext }) => openContext(options));
      return (await context).handlers;
    },
    close: async () => (await context)?.close(),
  };
}
