import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { type HubEvent, plainMarkdown, type SearchHit } from '@dragoman/protocol';
import type { Store } from '@dragoman/server/base';
import { type Kysely, sql } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import { isTakenOut, readTakenOut } from '../log/taken-out.ts';
import { indexSession } from './index-session.ts';
import { type Excerpt, makeExcerpt } from './make-excerpt.ts';
import { parseQuery, type Phrase, toMatch, toTsQuery } from './parse-query.ts';
import { rankMatch } from './rank-match.ts';
import { saidIn } from './said-in.ts';
import type { SearchTables } from './search-tables.ts';

type Tables = HubTables & SearchTables;

/** A question about what was said. */
export interface SearchQuery {
  q: string;
  sessionId?: string | undefined;
  limit?: number | undefined;
}

type Candidate = Pick<SearchTables['hub_search'], 'session_id' | 'seq' | 'kind' | 'role' | 'at' | 'words'> & {
  title: string;
};

const DEFAULT_LIMIT = 20;
/** A longer text is shown as it was written. */
const MAX_PLAIN_CHARS = 100_000;
/** Of more matches than this the latest are looked at. */
const MAX_CANDIDATES = 400;
/** How long a question waits for what was said just now to be found. */
const CATCH_UP_MS = 1_500;
/** How often what was said is made findable without a question, for how long, and how many sessions at a time. */
const STEP_EVERY_MS = 1_500;
const STEP_MS = 300;
const STEP_SESSIONS = 20;
/** A session that cannot be indexed is left alone for so long. */
const SKIP_MS = 60_000;

/**
 * Finds what was said in any session, in words of any language.
 *
 * What is said is indexed beside the log, in small steps that hold nobody up; a question first lets the newest in, within a
 * time limit.
 */
export class SessionSearch {
  readonly #db: Kysely<Tables>;
  readonly #engine: Store['engine'];
  readonly #log: HubLog;
  readonly #failed = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #stepping: Promise<void> | undefined;
  #isClosed = false;

  constructor({ store, log }: { store: Store; log: HubLog }) {
    this.#db = store.tables<Tables>();
    this.#engine = store.engine;
    this.#log = log;
    this.#plan();
  }

  /** The best places first; of those that are as good, the latest. Any text is a question; without words it finds nothing. */
  async find({ q, sessionId, limit = DEFAULT_LIMIT }: SearchQuery): Promise<SearchHit[]> {
    const phrases = parseQuery(q);
    if (phrases.length === 0 || limit === 0) return [];
    await this.index(performance.now() + CATCH_UP_MS);
    const candidates = await this.#match(phrases, sessionId);
    const ranked = candidates
      .map((candidate) => ({ candidate, rank: rankMatch(candidate, phrases) }))
      .toSorted((one, other) => other.rank - one.rank || other.candidate.at - one.candidate.at);
    const hits: SearchHit[] = [];
    const seen = new Set<string>(); // A long text is several rows, and one hit.
    for (const { candidate } of ranked) {
      const place = `${candidate.session_id} ${candidate.seq}`;
      if (seen.has(place)) continue;
      seen.add(place);
      await turnOfLoop(); // What is looked into may be long.
      const hit = await this.#toHit(candidate, phrases);
      if (hit !== undefined) hits.push(hit);
      if (hits.length >= limit) break;
    }
    return hits;
  }

  /**
   * Makes findable what is not yet, until everything is or the time has come. Other servers may do the same: they are waited
   * for, or what they are at is left to them.
   */
  async index(deadline = Infinity, isPatient = true): Promise<void> {
    while (!this.#isClosed && performance.now() < deadline) {
      const sessions = await this.#db
        .selectFrom('hub_sessions')
        .select('id')
        .where(sql<boolean>`seq > indexed_seq`)
        .where('id', 'not in', this.#skipped())
        .orderBy('updated_at', 'desc')
        .limit(STEP_SESSIONS)
        .execute();
      let isAnyOurs = false;
      for (const { id } of sessions) if (await this.#indexOne(id, deadline, isPatient)) isAnyOurs = true;
      if (!isAnyOurs) return;
    }
  }

  /** Says whether the session was not left to others. */
  async #indexOne(sessionId: string, deadline: number, isPatient: boolean): Promise<boolean> {
    try {
      while (!this.#isClosed && performance.now() < deadline) {
        const step = await indexSession({ db: this.#db, engine: this.#engine }, sessionId, isPatient);
        await turnOfLoop(); // With SQLite nothing here ever waits, and everyone else would.
        if (step !== 'more') return step === 'done';
      }
    } catch (error) {
      this.#failed.set(sessionId, performance.now() + SKIP_MS);
      if (!this.#isClosed) this.#log.warn({ err: error, sessionId }, 'a session could not be made findable');
    }
    return true;
  }

  /** Never empty, as a list in SQL is not. */
  #skipped(): string[] {
    for (const [sessionId, until] of this.#failed) if (until < performance.now()) this.#failed.delete(sessionId);
    return ['', ...this.#failed.keys()];
  }

  /** Stops after the step that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#stepping;
  }

  #plan(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#stepping = this.index(performance.now() + STEP_MS, false)
        .catch((error: unknown) => this.#log.warn({ err: error }, 'what was said could not be made findable'))
        .then(() => this.#plan());
    }, STEP_EVERY_MS).unref();
  }

  async #match(phrases: readonly Phrase[], sessionId: string | undefined): Promise<Candidate[]> {
    let query = this.#db
      .selectFrom('hub_search')
      .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_search.session_id')
      .select(['session_id', 'hub_search.seq', 'kind', 'role', 'at', 'words', 'hub_sessions.title']);
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    const matches =
      this.#engine === 'sqlite'
        ? sql<boolean>`hub_search.id in (select rowid from hub_search_words where hub_search_words match ${toMatch(phrases)})`
        : sql<boolean>`to_tsvector('simple', words) @@ to_tsquery('simple', ${toTsQuery(phrases)})`;
    return query.where(matches).orderBy('hub_search.id', 'desc').limit(MAX_CANDIDATES).execute();
  }

  /** From the text as it is in the log. What was replaced or taken out since it was indexed is no hit. */
  async #toHit(candidate: Candidate, phrases: readonly Phrase[]): Promise<SearchHit | undefined> {
    const { session_id: sessionId, seq, role, kind, at, title } = candidate;
    const text = seq === 0 ? title : await this.#textAt(sessionId, seq);
    if (text === undefined) return undefined;
    return { sessionId, sessionTitle: title, seq, role, kind, at, ...excerptOf(text, kind, phrases) };
  }

  async #textAt(sessionId: string, seq: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('hub_events')
      .select(['at', 'event'])
      .where('session_id', '=', sessionId)
      .where('seq', '=', seq)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const event = JSON.parse(row.event) as HubEvent;
    const isOut = isTakenOut(await readTakenOut(this.#db, sessionId), { seq, at: row.at, event });
    return isOut ? undefined : saidIn(event)?.text;
  }
}

/** What is said is shown as words; where these lack what was looked for, as in the address of a link, as it was written. */
function excerptOf(text: string, kind: string, phrases: readonly Phrase[]): Excerpt {
  if (kind === 'text' && text.length <= MAX_PLAIN_CHARS) {
    const found = makeExcerpt(plainMarkdown(text), phrases);
    if (found.marks.length > 0) return found;
  }
  return makeExcerpt(text, phrases);
}
