import type { Embedder } from '@dragoman/context';
import type { CallBook } from '@dragoman/gateway/model';
import type { Caller } from '@dragoman/server/base';
import type { DragomanConfig } from './rooms.ts';

/** What the calls are noted under, where other calls have the name of a token. */
const NOTED_AS = 'index';

/** Makes vectors of code with the model of `retrieval.embedding`. */
export interface CodeEmbedder {
  /** As it is configured by then; undefined where the built-in vectors are to be used. */
  current(): Embedder | undefined;
  close(): Promise<void>;
}

/** Where calls are noted, and who they count for; undefined as long as that is not known. */
export type EmbedderCalls = () => { book: CallBook; owner: Pick<Caller, 'userId' | 'userName'> } | undefined;

/** Makes one. What asks providers is loaded with the first text. */
export function codeEmbedder(config: () => DragomanConfig, calls: EmbedderCalls): CodeEmbedder {
  const open = async () => {
    const { embed, UpstreamRegistry } = await import('@dragoman/gateway/model');
    return { embed, upstreams: new UpstreamRegistry() };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    current() {
      const { embedding } = config().retrieval;
      if (embedding === undefined) return undefined;
      const { model, dimensions } = embedding;
      return {
        space: dimensions === undefined ? model : `${model} ${dimensions}`,
        async embed(texts, signal = new AbortController().signal) {
          const { embed, upstreams } = await (opened ??= open());
          const noted = calls();
          return embed(texts, {
            model,
            dimensions,
            providers: config().providers,
            upstreams,
            isRedacted: config().redaction.enabled,
            notes: noted && { book: noted.book, caller: { ...noted.owner, tokenName: NOTED_AS } },
            signal,
          });
        },
      };
    },
    close: async () => (await opened)?.upstreams.close(),
  };
}
