import type { CodePlace } from '@dragoman/protocol';
import { inTurns } from '@dragoman/server/base';
import type { BlobView } from '../blob-view.ts';
import { answerPlaces } from '../index/answer/answer-places.ts';
import type { BlobStore } from '../index/blobs/blob-store.ts';
import type { CodeIndex } from '../index/code-index.ts';
import type { RankReason } from '../index/rank/explain-rank.ts';

/** A place that answers a question, and what spoke for it. */
export interface ExplainedPlace extends CodePlace {
  why: RankReason[];
}

/** The same places in the same order as a plain search gives, each with why it ranked. It takes a little longer. */
export async function explainedSearch(
  { index, blobs }: { index: CodeIndex; blobs: BlobStore },
  view: BlobView,
  question: { query: string; limit: number },
  signal?: AbortSignal,
): Promise<ExplainedPlace[]> {
  if (view.blobNames.size === 0) return [];
  const hits = await index.search(view, { ...question, isExplained: true }, signal);
  const found = await blobs.bytes(hits.map(({ blobName }) => blobName));
  const places = await inTurns(answerPlaces(hits, found), signal);
  return places.map(({ hit, place }) => ({ ...place, why: hit.why ?? [] }));
}
