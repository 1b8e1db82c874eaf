import { type HubChange, isTerminalRunner } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import { toHubRunner } from '../runners/list-runners.ts';
import { showSessions } from './find-session.ts';
import type { ChangeNote } from './tell-change.ts';

/** A session is told of this often at most, however fast it moves. */
const PAUSE_MS = 200;

/** Someone who shows a list. */
export interface ListReader {
  userId: string;
  /** Takes what changed. Where it returns a promise, nothing more comes before that resolves. */
  receive(changes: readonly HubChange[]): void | Promise<void>;
  /** Something was missed, or the hub closes: whoever wants to go on comes again and reads the whole list. */
  end(): void;
}

/** What lists are read with. */
export type ChangeFeedParts = Pick<HubParts, 'db' | 'feed' | 'presence' | 'config' | 'now' | 'logger'>;

interface Follower extends ListReader {
  isBusy: boolean;
  /** What it has not been told yet. */
  sessions: Set<string>;
  removed: Set<string>;
  runners: Set<string>;
}

/**
 * Sessions and machines as they change, for lists.
 *
 * What changed is gathered for a moment and read once, so a session that moves fast costs as much as a slow one. A
 * follower that does not keep up is told of the newest state when it does: what waits for it is ids, never states. That a
 * machine comes or goes is told of the machine, not of each of its sessions.
 */
export class ChangeFeed {
  readonly #parts: ChangeFeedParts;
  readonly #followers = new Set<Follower>();
  readonly #unhear: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** What is being told: nothing newer overtakes it. */
  #telling: Promise<void> = Promise.resolve();

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
    this.#unhear = parts.feed.hear('changes', (payload) => {
      if (payload === undefined) this.#endAll();
      else this.#note(JSON.parse(payload) as ChangeNote);
    });
  }

  /** Tells of every change from now on. Returns how to leave. */
  follow(reader: ListReader): () => void {
    const follower: Follower = {
      userId: reader.userId,
      receive: (changes) => reader.receive(changes),
      end: () => reader.end(),
      isBusy: false,
      sessions: new Set(),
      removed: new Set(),
      runners: new Set(),
    };
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Tells nobody any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#unhear();
    this.#endAll();
  }

  #endAll(): void {
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const follower of followers) follower.end();
  }

  #note(note: ChangeNote): void {
    const { presence } = this.#parts;
    if ('runner' in note && note.isConnected !== undefined && note.from !== presence.processId)
      presence.heardOf(note.runner, note.isConnected, note.from);
    for (const follower of this.#followers) {
      if ('session' in note) follower.sessions.add(note.session);
      else if ('removed' in note) follower.removed.add(note.removed);
      else if (!isTerminalRunner(note.runner)) follower.runners.add(note.runner);
    }
    if (this.#followers.size > 0) this.#arm();
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#telling = this.#telling
        .then(() => this.#tell())
        .catch((err: unknown) => {
          this.#parts.logger.warn({ err }, 'lists could not be told what changed');
          this.#endAll();
        });
    }, PAUSE_MS).unref();
  }

  /** Those of one person see the same, so it is read once for all of them. */
  async #tell(): Promise<void> {
    const ready = [...this.#followers].filter((follower) => !follower.isBusy && hasNews(follower));
    for (const [userId, followers] of Map.groupBy(ready, (follower) => follower.userId)) {
      const changes = await this.#changesFor(userId, followers);
      for (const follower of followers) void this.#send(follower, changes);
    }
  }

  async #send(follower: Follower, changes: readonly HubChange[]): Promise<void> {
    if (changes.length === 0 || !this.#followers.has(follower)) return;
    follower.isBusy = true;
    try {
      await follower.receive(changes);
    } catch (err) {
      this.#parts.logger.debug({ err }, 'a list could not be told what changed');
      this.#followers.delete(follower);
      follower.end();
    }
    follower.isBusy = false;
    if (hasNews(follower)) this.#arm();
  }

  async #changesFor(userId: string, followers: readonly Follower[]): Promise<HubChange[]> {
    const { db } = this.#parts;
    const removed = take(followers, 'removed');
    const sessionIds = take(followers, 'sessions').filter((id) => !removed.includes(id));
    const runnerIds = take(followers, 'runners');
    const changes: HubChange[] = removed.map((sessionId) => ({ type: 'session-removed', sessionId }));
    if (runnerIds.length > 0) {
      const rows = await db
        .selectFrom('hub_runners')
        .selectAll()
        .where('id', 'in', runnerIds)
        .where('forgotten_at', 'is', null)
        .execute();
      changes.push(...rows.map((row) => ({ type: 'runner' as const, runner: toHubRunner(this.#parts, row) })));
    }
    if (sessionIds.length > 0) {
      const rows = await db.selectFrom('hub_sessions').selectAll().where('id', 'in', sessionIds).execute();
      const sessions = await showSessions(this.#parts, userId, rows);
      changes.push(...sessions.map((session) => ({ type: 'session' as const, session })));
    }
    return changes;
  }
}

function hasNews({ sessions, removed, runners }: Follower): boolean {
  return sessions.size + removed.size + runners.size > 0;
}

function take(followers: readonly Follower[], what: 'sessions' | 'removed' | 'runners'): string[] {
  const taken = new Set(followers.flatMap((follower) => [...follower[what]]));
  for (const follower of followers) follower[what].clear();
  return [...taken];
}
