import type { Chat } from './channel.ts';
import { ChatNotes } from './chat-notes.ts';
import type { DeskHost } from './desk-host.ts';
import { ElsewhereApprovals, MOST_ASKED } from './elsewhere-approvals.ts';
import { EndedPosts } from './ended-posts.ts';
import { moveOn } from './move-on.ts';
import { noteMany } from './note-many.ts';
import { noteRead } from './note-read.ts';
import type { ChatRow } from './people/chat-store.ts';
import { readListener } from './people/may-listen.ts';
import { dropPost, dropUnasked, newestPost, readUnasked, readUnfinished, type StoredPost } from './post-rows.ts';
import type { ChatPlace } from './post-store.ts';
import { ShownSession } from './shown-session.ts';
import { chooseNext, type Choice, isFleeting, isWaiting, type WantedPost } from './wanted-post.ts';

/** What is only there for the moment is written again after this, even if nothing is new. */
const FLEETING_MS = 25_000;

/**
 * What one chat should say, and what of it is to be done next.
 *
 * It is worked out anew whenever somebody asks, from the session, the notes and the questions as they are then, and compared
 * with what is there.
 */
export class ChatAgenda {
  readonly #host: DeskHost;
  readonly #place: ChatPlace;
  readonly #look: () => void;
  readonly #notes: ChatNotes;
  readonly #sessions = new Map<string, ShownSession>();
  readonly #elsewhere: ElsewhereApprovals;
  readonly #ended: EndedPosts;
  #chat: ChatRow | undefined;
  #mayListen = false;
  #newestId = '';
  #turn = 0;
  #isTimed = false;
  /** What is stored of the chat has changed, or may have: it is to be read again. */
  isStale = false;

  constructor(host: DeskHost, place: ChatPlace, look: () => void) {
    this.#host = host;
    this.#place = place;
    this.#look = look;
    this.#notes = new ChatNotes(host.channel.renderer, host.parts.logger);
    this.#elsewhere = new ElsewhereApprovals(host.parts.db, host.channel.renderer);
    this.#ended = new EndedPosts(host.channel.renderer);
  }

  /** The chat as channels know it. */
  get chat(): Chat {
    const { kind = 'private', language = 'en' } = this.#chat ?? {};
    return { chatId: this.#place.chatId, kind, language };
  }

  get hasChat(): boolean {
    return this.#chat !== undefined;
  }

  /** It shows nothing, and waits for nothing. */
  get isEmpty(): boolean {
    return this.#sessions.size === 0 && !this.#isTimed;
  }

  /** Knows of a chat in which nothing is to do for now; it only listens. */
  rest(chat: ChatRow, seq: number): void {
    this.#chat = chat;
    // Whether it may is asked before something is said.
    this.#mayListen = true;
    const shown = this.#show(chat.session_id!, seq);
    shown.isAwake = shown.hasNews;
  }

  /** Who was removed, or is not allowed any more, hears nothing from that moment on; nobody wakes a chat for each of that. */
  async isAsLoaded(): Promise<boolean> {
    const { chat, mayListen } = await readListener(this.#host.parts.db, this.#place);
    return mayListen === this.#mayListen && chat?.session_id === this.#chat?.session_id;
  }

  /** Reads what is stored of the chat. */
  async load(): Promise<void> {
    const { db } = this.#host.parts;
    this.isStale = false;
    const { chat, mayListen } = await readListener(db, this.#place);
    const current = mayListen && chat?.state === 'open' ? (chat.session_id ?? undefined) : undefined;
    const stored = await readUnfinished(db, this.#place, current);
    const unasked = mayListen ? await readUnasked(db, this.#place, current, MOST_ASKED + 1) : [];
    if (!mayListen) await dropUnasked(db, this.#place);
    this.#newestId = await newestPost(db, this.#place);
    if (this.#chat?.session_id !== chat?.session_id || this.#chat?.state !== chat?.state)
      for (const shown of this.#sessions.values()) shown.forget();
    [this.#chat, this.#mayListen] = [chat, mayListen];
    const unfinished = stored.filter((post) => mayListen || isForAnyone(post));
    this.#ended.keep(mayListen ? [] : stored.filter((post) => !isForAnyone(post)));
    this.#notes.keep(unfinished.filter((post) => post.sessionId === undefined));
    const others = unfinished.filter(({ sessionId }) => sessionId !== undefined && sessionId !== current);
    this.#elsewhere.keep([...others.filter(({ key }) => key.startsWith('approval ')), ...unasked]);
    const wanted = new Set(others.flatMap(({ key, sessionId }) => (key.startsWith('approval ') ? [] : [sessionId!])));
    if (current !== undefined) wanted.add(current);
    for (const [sessionId, shown] of this.#sessions) if (!wanted.has(sessionId) || shown.isLost) this.#hide(shown);
    const standing = await readStanding(db, [...wanted]);
    for (const sessionId of wanted) {
      const { seq = 0, waiting = 0 } = standing.get(sessionId) ?? {};
      const isSettled = chat !== undefined && sessionId === current && chat.from_seq > seq && waiting === 0;
      const shown = this.#show(sessionId, seq);
      // A session is not read for an answer to a command.
      if (isSettled && !unfinished.some((post) => post.sessionId === sessionId)) shown.isAwake = shown.hasNews;
      else shown.isAwake = true;
    }
  }

  /** What is to be done next. Where nothing is, what is there for good is noted. */
  async choose(): Promise<Choice | undefined> {
    if (this.#chat !== undefined && (this.#chat.state === 'closed' || this.#chat.problem !== null)) return undefined;
    const { chat } = this;
    const { db } = this.#host.parts;
    const ended = this.#ended.want(chat);
    await this.#notes.dropOutdated(db);
    const wanted: WantedPost[] = [...this.#notes.want(chat), ...ended.wanted, ...(await this.#elsewhere.want(chat))];
    for (const post of [...ended.dropped, ...this.#elsewhere.takeDropped()]) {
      // What never came into the chat makes room for what may wait behind it.
      await dropPost(db, post);
      this.isStale = true;
    }
    for (const shown of this.#sessions.values()) {
      if (shown.isLost) this.#hide(shown);
      else if (shown.isAwake) wanted.push(...(await this.#wantOf(shown)));
    }
    this.#noteTimes(wanted);
    const choice = chooseNext(wanted, this.#newestId);
    const isHolding = choice === undefined && this.#elsewhere.isHolding;
    if (isHolding && (await noteMany(db, this.#place, chat.language, this.#host.clock.now()))) this.isStale = true;
    return choice;
  }

  /** A post has a row from now on. */
  claimed({ wanted }: Choice, row: StoredPost): void {
    if (row.id > this.#newestId) this.#newestId = row.id;
    if (wanted.sessionId !== undefined) this.#sessions.get(wanted.sessionId)?.rows.set(row.key, row);
  }

  /** The store knows better what there is. */
  forget(): void {
    this.isStale = true;
    this.#notes.forget();
    this.#elsewhere.forget();
    for (const shown of this.#sessions.values()) shown.forget();
  }

  close(): void {
    for (const shown of this.#sessions.values()) shown.close();
    this.#sessions.clear();
  }

  #show(sessionId: string, after: number): ShownSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const { parts, watches, channel, renderings } = this.#host;
    const shown = new ShownSession(
      { db: parts.db, place: this.#place, watches, renderer: channel.renderer, renderings, look: this.#look },
      sessionId,
      after,
    );
    this.#sessions.set(sessionId, shown);
    return shown;
  }

  #hide(shown: ShownSession): void {
    shown.close();
    this.#sessions.delete(shown.sessionId);
  }

  /** Since when each of them waits, and when what is fleeting is due again. */
  #noteTimes(wanted: readonly WantedPost[]): void {
    const { clock, signal } = this.#host;
    let soonest = Infinity;
    for (const each of wanted) {
      const { row } = each;
      if (row === undefined) continue;
      if (isFleeting(row)) {
        const ms = (row.writtenAt ?? -Infinity) + FLEETING_MS - clock.now();
        if (ms <= 0) row.isDue = true;
        else soonest = Math.min(soonest, ms);
      }
      row.waitsSince = isWaiting(each) ? (row.waitsSince ?? ++this.#turn) : undefined;
    }
    if (soonest === Infinity || this.#isTimed) return;
    this.#isTimed = true;
    clock.wait(soonest, signal).then(
      () => {
        this.#isTimed = false;
        this.#look();
      },
      () => {},
    );
  }

  async #wantOf(shown: ShownSession): Promise<WantedPost[]> {
    const { db, config } = this.#host.parts;
    const row = this.#chat;
    const isCurrent = row?.session_id === shown.sessionId && row.state === 'open';
    const publicUrl = config().server?.publicUrl;
    const found = await shown.want({
      chat: this.chat,
      isCurrent,
      isMuted: row?.is_muted === 1,
      fromSeq: row?.from_seq ?? 0,
      link: publicUrl === undefined ? undefined : `${publicUrl.replace(/\/$/, '')}/sessions/${shown.sessionId}`,
    });
    if (found === undefined) {
      this.#hide(shown);
      return [];
    }
    for (const dropped of found.dropped) {
      await dropPost(db, dropped);
      shown.rows.delete(dropped.key);
    }
    if (isCurrent) {
      await noteRead(this.#host.parts, row, found);
      if (!(await moveOn(db, row, found.nextSeq))) this.isStale = true;
    }
    if (!found.wanted.some((wanted) => isWaiting(wanted) || isFleeting(wanted.row)) && !shown.hasNews) {
      shown.isAwake = false;
      if (!isCurrent && !shown.isUnfinished) this.#hide(shown);
    }
    return found.wanted;
  }
}

function isForAnyone({ note }: StoredPost): boolean {
  return note?.isForAnyone === true;
}

/** The last numbers of sessions, and how many questions wait in them. */
async function readStanding(db: DeskHost['parts']['db'], sessionIds: readonly string[]) {
  if (sessionIds.length === 0) return new Map<string, { seq: number; waiting: number }>();
  const rows = await db
    .selectFrom('hub_sessions')
    .select(['id', 'seq', 'waiting'])
    .where('id', 'in', sessionIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
