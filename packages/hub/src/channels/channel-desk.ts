import type { HubParts } from '../hub-parts.ts';
import type { Channel, ChannelState } from './channel.ts';
import { ChatDesk } from './chat-desk.ts';
import type { DeskHost } from './desk-host.ts';
import type { DeskClock } from './desk-clock.ts';
import { unfinishedChats } from './post-rows.ts';
import { pruneChats } from './prune-chats.ts';
import { Renderings } from './renderings.ts';
import type { SessionWatches } from './session-watch.ts';
import type { Setback } from './take-setback.ts';

/** What working for a channel stands on. */
export interface ChannelDeskOptions {
  name: string;
  channel: Channel;
  parts: Pick<HubParts, 'db' | 'feed' | 'config' | 'logger'>;
  watches: SessionWatches;
  clock: DeskClock;
  /** What is wrong with the channel as far as the desks see it; nothing where all is well. */
  tell(state: ChannelState | undefined): void;
}

/** After a token was revoked, one chat tries again this often. */
const REVOKED_MS = 60_000;
/** So often what is idle leaves the memory, and after so many of these what is old leaves the store. */
const SWEEP_MS = 60_000;
const SWEEPS_TO_PRUNE = 60;

/** The desks of one channel: one for each chat in which something is shown or to be said. */
export class ChannelDesk {
  readonly #options: ChannelDeskOptions;
  readonly #desks = new Map<string, ChatDesk>();
  readonly #closing = new AbortController();
  readonly #host: DeskHost;
  #revokedUntil: number | undefined;
  #opened = new AbortController();
  #isInTrouble = false;
  #house: Promise<void> | undefined;

  constructor(options: ChannelDeskOptions) {
    this.#options = options;
    const { parts, channel, watches, clock } = options;
    this.#host = {
      parts,
      channel,
      watches,
      clock,
      signal: this.#closing.signal,
      renderings: new Renderings(channel.renderer, parts.logger),
      isRevoked: () => this.#revokedUntil !== undefined,
      admit: () => this.#admit(),
      succeed: () => this.#succeed(),
      fail: (setback) => this.#fail(setback),
    };
  }

  /** Picks up what was left, and listens to the sessions that chats show. */
  async start(): Promise<void> {
    const { parts, name, clock } = this.#options;
    const { db } = parts;
    await pruneChats(db, name, clock.now());
    this.#house = this.#keepHouse().catch(() => {});
    const unfinished = new Set(await unfinishedChats(db, name));
    const chats = await db
      .selectFrom('hub_chats')
      .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_chats.session_id')
      .selectAll('hub_chats')
      .select(['hub_sessions.seq as session_seq', 'hub_sessions.waiting as session_waiting'])
      .where('channel', '=', name)
      .where('hub_chats.state', '=', 'open')
      .execute();
    for (const { session_seq, session_waiting, ...chat } of chats) {
      if (this.#closing.signal.aborted) return;
      if (unfinished.has(chat.chat_id)) continue;
      if (chat.from_seq > session_seq && session_waiting === 0) this.#deskOf(chat.chat_id).rest(chat, session_seq);
      else this.wake(chat.chat_id);
    }
    for (const chatId of unfinished) this.wake(chatId);
  }

  /** Something of a chat has changed in the store. */
  wake(chatId: string): void {
    if (!this.#closing.signal.aborted) this.#deskOf(chatId).wake();
  }

  /** Something may have been missed. */
  async wakeAll(): Promise<void> {
    const { parts, name } = this.#options;
    const shown = await parts.db
      .selectFrom('hub_chats')
      .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_chats.session_id')
      .select('chat_id')
      .where('channel', '=', name)
      .where('hub_chats.state', '=', 'open')
      .whereRef('from_seq', '<=', 'hub_sessions.seq')
      .execute();
    const chatIds = new Set(shown.map(({ chat_id }) => chat_id));
    for (const chatId of await unfinishedChats(parts.db, name)) chatIds.add(chatId);
    for (const chatId of chatIds) this.wake(chatId);
  }

  /** A question was decided: chats that were asked are told. */
  async wakeAsked(sessionId: string, approvalId: string): Promise<void> {
    const { parts, name } = this.#options;
    const rows = await parts.db
      .selectFrom('hub_chat_posts')
      .select('chat_id')
      .where('session_id', '=', sessionId)
      .where('channel', '=', name)
      .where('key', '=', `approval ${approvalId}`)
      .where('state', 'in', ['wanted', 'sending', 'shown'])
      .execute();
    for (const { chat_id } of rows) this.wake(chat_id);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#house;
    await Promise.all([...this.#desks.values()].map((desk) => desk.close()));
    this.#desks.clear();
  }

  /** How many chats it has in mind. */
  get size(): number {
    return this.#desks.size;
  }

  async #keepHouse(): Promise<never> {
    const { parts, name, clock } = this.#options;
    for (let sweeps = 1; ; sweeps += 1) {
      await clock.wait(SWEEP_MS, this.#closing.signal);
      for (const [chatId, desk] of this.#desks) if (desk.isIdle) this.#desks.delete(chatId);
      if (sweeps % SWEEPS_TO_PRUNE !== 0) continue;
      await pruneChats(parts.db, name, clock.now()).catch((err: unknown) =>
        parts.logger.warn({ err, channel: name }, 'could not delete old chat data'),
      );
    }
  }

  #deskOf(chatId: string): ChatDesk {
    let desk = this.#desks.get(chatId);
    if (desk === undefined) {
      desk = new ChatDesk(this.#host, { channel: this.#options.name, chatId });
      this.#desks.set(chatId, desk);
    }
    return desk;
  }

  async #admit(): Promise<void> {
    const { clock } = this.#options;
    while (this.#revokedUntil !== undefined) {
      const ms = this.#revokedUntil - clock.now();
      if (ms <= 0) {
        // This one tries; the others wait for what comes of it.
        this.#revokedUntil = clock.now() + REVOKED_MS;
        return;
      }
      await clock.wait(ms, AbortSignal.any([this.#closing.signal, this.#opened.signal])).catch(() => {});
      this.#closing.signal.throwIfAborted();
    }
  }

  #succeed(): void {
    if (this.#revokedUntil === undefined && !this.#isInTrouble) return;
    this.#isInTrouble = false;
    this.#readmit();
    this.#options.tell(undefined);
  }

  #fail({ problem }: Setback): void {
    if (problem?.type === 'revoked') {
      this.#revokedUntil = this.#options.clock.now() + REVOKED_MS;
      this.#options.tell({ type: 'failed', reason: problem.reason });
      return;
    }
    const wasRevoked = this.#revokedUntil !== undefined;
    this.#readmit();
    if (problem !== undefined) {
      this.#isInTrouble = true;
      this.#options.tell({ type: 'trouble', reason: problem.reason });
    } else if (wasRevoked) this.#options.tell(undefined);
  }

  /** The token counts again: everybody may. */
  #readmit(): void {
    if (this.#revokedUntil === undefined) return;
    this.#revokedUntil = undefined;
    this.#opened.abort();
    this.#opened = new AbortController();
  }
}
