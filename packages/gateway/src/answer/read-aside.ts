import type { ModelSink } from '@dragoman/protocol';
import type { HttpUpstream } from '../upstreams/upstream.ts';

/** More of an answer is not read beside its way to the client. */
const MOST_BYTES = 1024 * 1024;

/** Reads the beginning of an answer that is passed on as it comes. What cannot be read is left alone. */
export function readAside(upstream: HttpUpstream, sink: ModelSink): { feed(bytes: Uint8Array): void } {
  const decoder = upstream.decodeStream(sink);
  let left = MOST_BYTES;
  return {
    feed(bytes) {
      if (left <= 0) return;
      left -= bytes.length;
      try {
        decoder.feed(bytes);
      } catch {
        left = 0;
      }
    },
  };
}
