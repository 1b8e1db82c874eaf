import { resolve } from 'node:path';
import type { BackendEvent, SessionState } from '@dragoman/protocol';
import { setTimeout as wait } from 'node:timers/promises';
import type { SessionRunner } from '../session/session-runner.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { type BlockEncoder, type BlockOptions, encodeBlocks, type UnseenChanges } from './encode-blocks.ts';
import { splitDiff } from './split-diff.ts';

/** How long a turn waits at its end for what its steps changed. */
const DIFFS_MS = 10_000;

/** What the blocks of a session are made with. */
export interface SessionBlocksOptions {
  runner: SessionRunner;
  workplace: Workplace;
  contextTokens: (state: SessionState) => number;
  emit: (event: BackendEvent) => void;
}

interface Followed {
  runner: SessionRunner;
  encoder: BlockEncoder;
  unsubscribe: () => void;
}

/** Tells what happens in a session, and the calls of those that do its tasks, below the calls they belong to. */
export class SessionBlocks {
  readonly #options: SessionBlocksOptions;
  readonly #own: Followed;
  /** Sessions of tasks, until the turn ends. */
  readonly #tasks = new Map<string, Followed>();
  /** Which call the session of a task belongs to. */
  readonly #toolUses = new Map<string, string>();
  readonly #diffs = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: SessionBlocksOptions) {
    this.#options = options;
    this.#own = this.#listen(options.runner, {});
  }

  /** The session itself, or one that does a task of it. */
  find(sessionID: string): SessionRunner | undefined {
    return this.#own.runner.id === sessionID ? this.#own.runner : this.#tasks.get(sessionID)?.runner;
  }

  /** Shows the calls of a session that does a task. */
  follow(runner: SessionRunner): void {
    this.#leave(runner.id); // A task that is gone on with comes again.
    this.#tasks.set(runner.id, this.#listen(runner, { parentToolUseId: () => this.#toolUses.get(runner.id) }));
  }

  /** Resolves when everything of the turn has been told; nothing is open then. */
  async settle(): Promise<void> {
    for (const id of this.#tasks.keys()) this.#leave(id);
    this.#own.encoder.finish();
    this.#toolUses.clear();
    const isLate = new AbortController();
    await Promise.race([
      Promise.all(this.#diffs),
      wait(DIFFS_MS, undefined, { signal: isLate.signal }).catch(() => {}),
    ]);
    isLate.abort();
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#tasks.keys()) this.#leave(id);
    this.#own.unsubscribe();
    this.#own.encoder.finish();
  }

  #listen(runner: SessionRunner, options: Pick<BlockOptions, 'parentToolUseId'>): Followed {
    const { contextTokens, emit } = this.#options;
    const encoder = encodeBlocks(
      {
        ...options,
        contextTokens,
        onTask: (sessionID, toolUseId) => this.#toolUses.set(sessionID, toolUseId),
        onUnseenChanges: (changes) => {
          const shown = this.#showChanges(changes).finally(() => this.#diffs.delete(shown));
          this.#diffs.add(shown);
        },
      },
      emit,
    );
    return {
      runner,
      encoder,
      unsubscribe: runner.subscribe({ event: ({ event }, state) => encoder.push(event, state) }),
    };
  }

  #leave(sessionID: string): void {
    const task = this.#tasks.get(sessionID);
    this.#tasks.delete(sessionID);
    task?.unsubscribe();
    task?.encoder.finish();
  }

  /** The result of a call again, with what it changed. Where that cannot be told any more it stays as it is. */
  async #showChanges({ before, after, files, result }: UnseenChanges): Promise<void> {
    const { runner, workplace, emit } = this.#options;
    try {
      const snapshots = await workplace.snapshots();
      const changed = new Set(files.map((path) => resolve(workplace.root, path)));
      const whole = (await snapshots?.diff(before, after)) ?? '';
      const { info } = runner.state;
      const diffs = splitDiff(whole, info).filter(({ path }) => changed.has(resolve(info.cwd, path)));
      if (diffs.length > 0 && !this.#isClosed) emit({ ...result, block: { ...result.block, diffs } });
    } catch (err) {
      workplace.log.warn({ err }, 'what a step changed could not be shown');
    }
  }
}
