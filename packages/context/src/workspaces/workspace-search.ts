import type { CodeSearch } from '@dragoman/protocol';
import { inTurns } from '@dragoman/server/base';
import type { BlobView } from '../blob-view.ts';
import { answerPlaces } from '../index/answer/answer-places.ts';
import { answerLength, answerQuestion } from '../index/answer/answer-question.ts';
import type { BlobStore } from '../index/blobs/blob-store.ts';
import type { CodeIndex, Hit } from '../index/code-index.ts';

const DEFAULT_LIMIT = 10;

/** A workspace to be asked. `view` gives its files as they are at the time of the question. */
export function workspaceSearch(
  { index, blobs }: { index: CodeIndex; blobs: BlobStore },
  view: (signal?: AbortSignal) => Promise<BlobView>,
): CodeSearch {
  const places = async (hits: readonly Hit[], signal?: AbortSignal) => {
    const found = await blobs.bytes(hits.map(({ blobName }) => blobName));
    return (await inTurns(answerPlaces(hits, found), signal)).map(({ place }) => place);
  };
  return {
    search: async ({ query, limit = DEFAULT_LIMIT }, signal) =>
      places(await index.search(await view(signal), { query, limit }, signal), signal),
    findSymbol: async (name, limit = DEFAULT_LIMIT, signal) =>
      places(await index.findSymbol(await view(signal), name, limit, signal), signal),
    retrieve: async ({ query, maxLength }, signal) =>
      answerQuestion({ index, blobs }, await view(signal), { query, maxLength: answerLength(maxLength) }, signal),
  };
}
