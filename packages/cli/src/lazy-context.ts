import type { Context, ContextOptions } from '@dragoman/context';
import type { LazyHandlers } from '@dragoman/context/setup';
import { codeEmbedder, type EmbedderCalls } from './code-embedder.ts';
import type { DragomanConfig } from './rooms.ts';

/** The context engine, loaded and opened when it is first asked: most of a server's start is loading code. */
export interface LazyContext {
  open(): Promise<Context>;
  handlers: LazyHandlers;
  close(): Promise<void>;
}

/** What it is opened with. */
export interface LazyContextOptions extends Omit<ContextOptions, 'embedder' | 'config'> {
  config: () => DragomanConfig;
  /** Where it is noted what an embedding model was asked for. */
  calls: EmbedderCalls;
}

/** Makes one. */
export function lazyContext({ calls, ...options }: LazyContextOptions): LazyContext {
  const embedder = codeEmbedder(options.config, calls);
  let context: Promise<Context> | undefined;
  const open = (): Promise<Context> => {
    context ??= import('@dragoman/context').then(({ openContext }) =>
      openContext({ ...options, embedder: embedder.current }),
    );
    return context;
  };
  return {
    open,
    handlers: async () => (await open()).handlers,
    async close() {
      // One that could not be opened was told to whoever asked.
      await (await context?.catch(() => undefined))?.close();
      await embedder.close();
    },
  };
}
