import type { Kysely } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import type { Chat, ChannelRenderer } from './channel.ts';
import type { StoredPost } from './post-rows.ts';
import { dropNote, isStillTrue, settleNote } from './replace-note.ts';
import type { WantedPost } from './wanted-post.ts';

/** What the program itself has to say in a chat, and has not said for good. */
export class ChatNotes {
  readonly #renderer: ChannelRenderer<unknown>;
  readonly #log: HubLog;
  readonly #rows = new Map<string, StoredPost>();

  constructor(renderer: ChannelRenderer<unknown>, log: HubLog) {
    this.#renderer = renderer;
    this.#log = log;
  }

  /** These are not finished. */
  keep(posts: readonly StoredPost[]): void {
    // Some say something else by now.
    for (const { id, note } of posts)
      if (JSON.stringify(note) !== JSON.stringify(this.#rows.get(id)?.note)) this.#rows.delete(id);
    keepOnly(this.#rows, posts);
  }

  /** Says nothing more of what is over. */
  async dropOutdated(db: Kysely<HubTables>): Promise<void> {
    for (const { id, note, state } of this.#rows.values()) {
      if (note?.untilTaken === undefined || state === 'sending' || (await isStillTrue(db, note))) continue;
      await (state === 'wanted' ? dropNote(db, id, note) : settleNote(db, id, note));
      this.#rows.delete(id);
    }
  }

  /** The store knows better. */
  forget(): void {
    this.#rows.clear();
  }

  /** The notes that should stand in the chat. */
  want({ language }: Chat): WantedPost[] {
    const wanted: WantedPost[] = [];
    for (const row of this.#rows.values()) {
      if (row.state === 'done' || row.state === 'failed' || row.note === undefined) {
        this.#rows.delete(row.id);
        continue;
      }
      try {
        const post = { ...this.#renderer.note(row.note, language), key: row.key, isFinal: true };
        wanted.push({
          post,
          sessionId: undefined,
          row,
          replyTo: row.note.replyTo,
          isMinor: row.note.topic !== undefined,
        });
      } catch {
        this.#rows.delete(row.id);
        this.#log.warn({ postId: row.id }, 'could not write a message in a chat');
      }
    }
    return wanted;
  }
}

/** Takes over what is new and forgets what is gone; what is known already stays the same object. */
export function keepOnly(known: Map<string, StoredPost>, posts: readonly StoredPost[]): void {
  const ids = new Set(posts.map(({ id }) => id));
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  for (const post of posts) if (!known.has(post.id)) known.set(post.id, post);
}
