import type { SessionPart } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { Chat, ChannelRenderer, Language, Scene } from './channel.ts';
import { isFinalPart, lastHeard, lastSaid, promptsIn } from './part-facts.ts';
import { isBegun, isThere, isUntried, namesIn } from './post-facts.ts';
import { readPostsOf, type StoredPost } from './post-rows.ts';
import type { ChatPlace } from './post-store.ts';
import type { Renderings } from './renderings.ts';
import type { Onlooker, SeenSession, SessionWatch, SessionWatches } from './session-watch.ts';
import { isWaiting, type WantedPost } from './wanted-post.ts';

/** What showing a session in a chat stands on. */
export interface ShowOptions {
  db: Kysely<HubTables>;
  place: ChatPlace;
  watches: SessionWatches;
  renderer: ChannelRenderer<unknown>;
  renderings: Renderings;
  /** Something may be to do. */
  look(): void;
}

/** How a session is to be shown. */
export interface ShowAs {
  chat: Chat;
  /** The chat shows this session now. Otherwise what was begun is brought to its end, and nothing is begun. */
  isCurrent: boolean;
  isMuted: boolean;
  fromSeq: number;
  link: string | undefined;
}

/** What a chat should say of a session. */
export interface Shown {
  wanted: WantedPost[];
  /** What never was in the chat, and is not wanted any more. */
  dropped: StoredPost[];
  /** What began before this number is there for good. */
  nextSeq: number;
  /** Up to here everything that was said can be read there. */
  readSeq: number;
  /** Something of that was said in this chat. */
  hasShown: boolean;
}

/** A session in a chat: what should be said of it there, and what is. */
export class ShownSession implements Onlooker {
  readonly sessionId: string;
  /** The posts of the session that are in the chat or on their way, by their keys. */
  readonly rows = new Map<string, StoredPost>();
  /** Something happened that was not looked at. */
  hasNews = false;
  /** There may be something to do. */
  isAwake = true;
  isLost = false;
  readonly #options: ShowOptions;
  readonly #watch: SessionWatch;
  readonly #ownPrompts = new Map<string, string>();
  readonly #askedPrompts = new Set<string>();
  readonly #begun = new Set<string>();
  #isRead = false;
  #seenTakenOut: unknown;

  constructor(options: ShowOptions, sessionId: string, after: number) {
    this.#options = options;
    this.sessionId = sessionId;
    this.#watch = options.watches.enter(sessionId, this, after);
  }

  look(): void {
    [this.hasNews, this.isAwake] = [true, true];
    this.#options.look();
  }

  lose(): void {
    this.isLost = true;
    this.#options.look();
  }

  close(): void {
    this.#options.watches.leave(this.#watch, this);
  }

  /** What is not there for good yet, as far as it was begun. */
  get isUnfinished(): boolean {
    return [...this.rows.values()].some((row) => !row.key.startsWith('approval ') && isBegun(row));
  }

  /** Forgets what it knows of the rows, because the store may know better. */
  forget(): void {
    this.rows.clear();
    this.#isRead = false;
  }

  /** What the chat should say of it now. Nothing where the session is gone. */
  async want(as: ShowAs): Promise<Shown | undefined> {
    this.hasNews = false;
    if (!this.#isRead) await this.#readRows();
    const seen = await this.#watch.see();
    if (seen === undefined) return undefined;
    this.#noteBegun();
    await this.#readPrompts(seen.parts.filter((part) => this.#isShown(part, as)));
    const scene: Scene = { view: seen.view, language: as.chat.language, link: as.link, ownPrompts: this.#ownPrompts };
    const { seq } = seen.view;
    const shown: Shown = { wanted: [], dropped: [], nextSeq: seq + 1, readSeq: seq, hasShown: false };
    this.#addParts(seen, scene, as, shown);
    // Elsewhere a question says which session it is about; see `notice-text.ts`.
    if (as.isCurrent) this.#addApprovals(seen, scene, shown);
    this.#addWithdrawn(seen, as.chat.language, shown);
    return shown;
  }

  #addParts({ view, parts, away }: SeenSession, scene: Scene, as: ShowAs, shown: Shown): void {
    let isSettled = true;
    for (const [index, part] of parts.entries()) {
      if (!this.#isShown(part, as)) continue;
      const isFinal = isFinalPart(part, view, index === parts.length - 1);
      const replyTo = promptsIn(part).flatMap((id) => this.#ownPrompts.get(id) ?? [])[0];
      const isWanted = this.#isWanted(part, as);
      const shownIn = isFinal ? scene : { ...scene, away };
      const posts = isWanted ? this.#options.renderings.part(part, shownIn) : [];
      const keys = new Set<string>();
      const here: WantedPost[] = [];
      for (const [place, post] of posts.entries()) {
        const row = this.rows.get(post.key);
        keys.add(post.key);
        if (row === undefined && !as.isCurrent) continue;
        const answered = place === 0 ? replyTo : undefined;
        here.push({ post: { ...post, isFinal }, sessionId: this.sessionId, row, replyTo: answered });
      }
      // It has become shorter than it was.
      if (isFinal) for (const row of this.#restOf(part, keys)) this.#addGone(row, scene.language, shown, here);
      shown.wanted.push(...here);
      const isDone = isFinal && here.every((wanted) => !isWaiting(wanted));
      if (isSettled && !isDone) {
        isSettled = false;
        shown.nextSeq = part.since;
      }
      // A chat that is muted leaves out what others asked for, and a platform may refuse something.
      if (!isDone || !isWanted || here.some(({ row }) => row?.state === 'failed'))
        shown.readSeq = Math.min(shown.readSeq, part.since - 1);
      else if (here.length > 0 && shown.readSeq >= part.since) shown.hasShown = true;
    }
  }

  #addApprovals({ view }: SeenSession, scene: Scene, shown: Shown): void {
    for (const approval of view.approvals) {
      const row = this.rows.get(`approval ${approval.id}`);
      const isFinal = approval.decided !== undefined;
      // Nobody needs to be asked what is decided.
      if (isFinal && (row === undefined || row.state === 'done' || row.state === 'failed')) continue;
      if (isFinal && row !== undefined && isUntried(row)) {
        shown.dropped.push(row);
        continue;
      }
      const post = this.#options.renderings.approval(approval, scene);
      if (post === undefined) continue;
      const key = `approval ${approval.id}`;
      shown.wanted.push({ post: { ...post, key, isFinal }, sessionId: this.sessionId, row, replyTo: undefined });
    }
  }

  /** What a revert took out of the session is taken back in the chat, however long ago it was said. */
  #addWithdrawn({ view, parts }: SeenSession, language: Language, shown: Shown): void {
    if (this.#seenTakenOut === view.takenOut || view.takenOut.spans.length === 0) return;
    const partKeys = new Set(parts.map(({ key }) => key));
    let isAllGone = true;
    for (const row of this.rows.values()) {
      if (isThere(row.key, partKeys, view.takenOut.blocks)) continue;
      const before = shown.wanted.length;
      this.#addGone(row, language, shown, shown.wanted);
      if (shown.wanted.slice(before).some(isWaiting)) isAllGone = false;
    }
    if (isAllGone) this.#seenTakenOut = view.takenOut;
  }

  #addGone(row: StoredPost, language: Language, shown: Shown, list: WantedPost[]): void {
    if (isUntried(row)) {
      shown.dropped.push(row);
      return;
    }
    if (row.receipt === undefined && !row.isUncertain) return;
    const { body, actions } = this.#options.renderer.withdrawn(language);
    list.push({
      post: { key: row.key, body, actions, isFinal: true },
      sessionId: this.sessionId,
      row,
      replyTo: undefined,
    });
  }

  /** Continuations of a part beyond those it has now. */
  #restOf({ key }: SessionPart, keys: ReadonlySet<string>): StoredPost[] {
    const rest: StoredPost[] = [];
    for (let number = 1; ; number += 1) {
      const postKey = number === 1 ? `part ${key}` : `part ${key} ${number}`;
      const row = this.rows.get(postKey);
      if (row !== undefined && !keys.has(postKey)) rest.push(row);
      if (row === undefined && number > keys.size) return rest;
    }
  }

  /** Parts of which something is in the chat that may change. */
  #noteBegun(): void {
    this.#begun.clear();
    for (const row of this.rows.values())
      if (row.key.startsWith('part ') && isBegun(row)) for (const name of namesIn(row.key)) this.#begun.add(name);
  }

  /**
   * A part that is looked at: from the number on, or something was said in it since, or a call of it ended late; and what
   * was begun, since the chat may have shown another session while it came to its end.
   */
  #isShown(part: SessionPart, { fromSeq, isCurrent }: ShowAs): boolean {
    const hasRow = this.rows.has(`part ${part.key}`);
    if (!isCurrent) return hasRow;
    return lastSaid(part) >= fromSeq || (hasRow && lastHeard(part) >= fromSeq) || this.#begun.has(part.key);
  }

  /** In a chat that is muted only what was asked for there is said. */
  #isWanted(part: SessionPart, { isMuted }: ShowAs): boolean {
    return !isMuted || this.rows.has(`part ${part.key}`) || promptsIn(part).some((id) => this.#ownPrompts.has(id));
  }

  async #readRows(): Promise<void> {
    const { db, place } = this.#options;
    for (const row of await readPostsOf(db, place, this.sessionId)) this.rows.set(row.key, row);
    this.#isRead = true;
    this.#seenTakenOut = undefined;
  }

  /** Which prompts were written in this chat; each is asked for once. */
  async #readPrompts(parts: readonly SessionPart[]): Promise<void> {
    const { db, place } = this.#options;
    const unknown = parts.flatMap(promptsIn).filter((id) => !this.#askedPrompts.has(id));
    for (let from = 0; from < unknown.length; from += 500) {
      const ids = unknown.slice(from, from + 500);
      const found = await db
        .selectFrom('hub_chat_prompts')
        .select(['prompt_id', 'message_id'])
        .where('channel', '=', place.channel)
        .where('chat_id', '=', place.chatId)
        .where('prompt_id', 'in', ids)
        .execute();
      for (const { prompt_id, message_id } of found) this.#ownPrompts.set(prompt_id, message_id);
      for (const id of ids) this.#askedPrompts.add(id);
    }
  }
}
