import { inTurns } from '@dragoman/server/base';
import type { BlobView } from '../../blob-view.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { CodeIndex } from '../code-index.ts';
import { formatAnswer } from './format-answer.ts';

const DEFAULT_LENGTH = 20_000;
const MAX_LENGTH = 80_000;
/** About as many characters as one place takes in an answer, at least. */
const SHORTEST_PLACE = 500;
/** Longer questions are cut: what they are about stands at their beginning. */
const MAX_QUESTION = 20_000;

export const NOTHING_SYNCED = 'Nothing can be found: no files are synced.\n';

/** The best places of a view as one text, no longer than `maxLength`. */
export async function answerQuestion(
  { index, blobs }: { index: CodeIndex; blobs: BlobStore },
  view: BlobView,
  { query, maxLength }: { query: string; maxLength: number },
  signal?: AbortSignal,
): Promise<string> {
  const limit = Math.min(Math.max(Math.ceil(maxLength / SHORTEST_PLACE), 10), 60);
  const hits = await index.search(view, { query: shortQuestion(query), limit }, signal);
  const contents = await blobs.contents(hits.map((hit) => hit.blobName));
  return inTurns(formatAnswer({ hits, contents, maxLength }), signal);
}

export function shortQuestion(query: string): string {
  return query.length <= MAX_QUESTION ? query : query.slice(0, MAX_QUESTION).toWellFormed();
}

/** Nothing, 0 and what makes no sense mean the usual length. */
export function answerLength(asked: number | null | undefined): number {
  return asked === null || asked === undefined || asked < 1 ? DEFAULT_LENGTH : Math.min(Math.floor(asked), MAX_LENGTH);
}
