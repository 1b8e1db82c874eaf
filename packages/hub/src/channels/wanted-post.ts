import { createHash } from 'node:crypto';
import type { Post } from './channel.ts';
import type { StoredPost } from './post-rows.ts';

/** A post that should stand in a chat, and what there is of it. */
export interface WantedPost {
  post: Post;
  sessionId: string | undefined;
  row: StoredPost | undefined;
  /** The message it answers. */
  replyTo: string | undefined;
  /** Everything else goes before it. */
  isMinor?: boolean | undefined;
}

/** Bodies that did not change are the same objects. */
const known = new WeakMap<object, string>();

/** What a body is known by. */
export function fingerprintOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return hash(body);
  let fingerprint = known.get(body);
  if (fingerprint === undefined) known.set(body, (fingerprint = hash(body)));
  return fingerprint;
}

function hash(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest('base64url');
}

/** What is in the chat is not what should be there. */
export function isWaiting({ post, row }: WantedPost): boolean {
  if (row === undefined) return true;
  // A person deleted it for good.
  if (row.state === 'done' && row.receipt === undefined) return false;
  // What was refused is tried again when it says something else.
  if (row.fingerprint !== fingerprintOf(post.body)) return true;
  return (
    row.state !== 'failed' && row.state !== 'done' && (row.receipt === undefined || post.isFinal || row.isDue === true)
  );
}

/** It is not in the chat yet. */
function isUnsent({ row }: WantedPost): boolean {
  return row?.receipt === undefined;
}

/** What is delivered next. */
export interface Choice {
  wanted: WantedPost;
  /** Nothing comes after it for now. */
  isLast: boolean;
}

/**
 * Of all that should stand in a chat, what is delivered next: what is not there yet, in order; then what changed, final
 * changes first and then the one that waited longest. In both what is minor comes last. What is only there for the moment
 * is made to stay before something is sent behind it.
 */
export function chooseNext(wanted: readonly WantedPost[], newestId: string): Choice | undefined {
  const waiting = wanted.filter(isWaiting);
  const unsent = waiting.filter(isUnsent);
  const first = unsent.find(({ isMinor }) => isMinor !== true) ?? unsent[0];
  if (first !== undefined) {
    const fleeting = wanted.find(({ row }) => row !== first.row && isFleeting(row) && row.isPressed !== true);
    if (fleeting !== undefined) return { wanted: fleeting, isLast: false };
    return { wanted: first, isLast: unsent.length === 1 && (first.row?.id ?? newestId) >= newestId };
  }
  const [next] = waiting.toSorted(
    (one, other) =>
      Number(one.isMinor ?? false) - Number(other.isMinor ?? false) ||
      Number(other.post.isFinal) - Number(one.post.isFinal) ||
      (one.row!.waitsSince ?? Infinity) - (other.row!.waitsSince ?? Infinity),
  );
  return next && { wanted: next, isLast: next.row!.id >= newestId };
}

/** It is only there for the moment. */
export function isFleeting(row: StoredPost | undefined): row is StoredPost {
  return row?.receipt !== undefined && !row.receipt.isLasting && row.state !== 'failed';
}
