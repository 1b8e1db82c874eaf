import type { Chat, ChannelRenderer } from './channel.ts';
import { keepOnly } from './chat-notes.ts';
import { endedNotice } from './notice-text.ts';
import type { StoredPost } from './post-rows.ts';
import type { WantedPost } from './wanted-post.ts';

/**
 * Posts of a chat that may hear of sessions no more: nothing of them is said any further. What stands in the chat and would
 * have gone on says once that it is over, so that no card turns for ever.
 */
export class EndedPosts {
  readonly #renderer: ChannelRenderer<unknown>;
  readonly #rows = new Map<string, StoredPost>();

  constructor(renderer: ChannelRenderer<unknown>) {
    this.#renderer = renderer;
  }

  /** These were not finished when it ended. */
  keep(posts: readonly StoredPost[]): void {
    keepOnly(this.#rows, posts);
  }

  /** The last that is said of them, and those of which nothing is in the chat. */
  want({ language }: Chat): { wanted: WantedPost[]; dropped: StoredPost[] } {
    const wanted: WantedPost[] = [];
    const dropped: StoredPost[] = [];
    for (const row of this.#rows.values()) {
      if (row.sessionId === undefined || !isThere(row)) {
        this.#rows.delete(row.id);
        dropped.push(row);
        continue;
      }
      const post = { ...this.#renderer.note(endedNotice(language), language), key: row.key, isFinal: true };
      wanted.push({ post, sessionId: row.sessionId, row, replyTo: undefined });
    }
    return { wanted, dropped };
  }
}

/** It stands in the chat, or may do so. What was only there for the moment goes by itself. */
function isThere({ receipt, isUncertain }: StoredPost): boolean {
  return receipt === undefined ? isUncertain : receipt.isLasting;
}
