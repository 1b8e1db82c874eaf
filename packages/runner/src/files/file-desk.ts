import { isAbsolute } from 'node:path';
import { DragomanError, type FileChanges, type RunnerAsk, type SessionSpec } from '@dragoman/protocol';
import { runnerAskSchema } from '@dragoman/protocol/schemas';
import type { AllowedFolders } from '../folders/allowed-folders.ts';
import { commitChanges } from '../git/commit-changes.ts';
import { discardChanges } from '../git/discard-changes.ts';
import { openRepository, type Repository, type RepositoryOptions } from '../git/open-repository.ts';
import { readChanges } from '../git/read-changes.ts';
import { readDiff } from '../git/read-diff.ts';
import { stageFiles } from '../git/stage-files.ts';
import { withTimeLimit } from '../time-limit.ts';
import { AskGate } from './ask-gate.ts';
import { FileFinder } from './find-files.ts';
import { relativeTo } from './inside-path.ts';
import { listFiles } from './list-files.ts';
import { readSessionFile } from './read-file.ts';
import { readSessionImage } from './read-image.ts';
import { sessionPlace } from './session-place.ts';

/** A question about the files of a session. */
export type FileAsk = Extract<RunnerAsk, { session: unknown }>;

/** What the desk needs of the runner. */
export interface FileDeskOptions {
  folders: AllowedFolders;
  /** Where the worktrees of sessions are. */
  worktrees: string;
  /** What git inherits. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The hub waits a little longer than this, so that it hears why. */
const ANSWER_MS = 15_000;
const COMMIT_MS = 57_000;

/**
 * Answers what people ask about the files of a session, and does what they ask for in its repository. Every path is
 * looked at here: the hub knows nothing of the disk.
 */
export class FileDesk {
  readonly #options: FileDeskOptions;
  readonly #finder = new FileFinder();
  readonly #gate = new AskGate();
  readonly #closing = new AbortController();

  constructor(options: FileDeskOptions) {
    this.#options = options;
  }

  /** The answer to a question. Rejects in words. With the signal nobody waits for it: what only looks ends then. */
  async answer(given: unknown, signal?: AbortSignal): Promise<unknown> {
    const parsed = runnerAskSchema.safeParse(given);
    if (!parsed.success || !('session' in parsed.data))
      throw new DragomanError('bad-request', 'the runner does not support this; update it');
    const ask = parsed.data;
    const limitMs = ask.method === 'commit-changes' ? COMMIT_MS : ANSWER_MS;
    const leaving = isChange(ask) ? undefined : signal;
    return withTimeLimit([this.#closing.signal, leaving], (limit) => {
      limit.allow(limitMs, `the machine did not respond within ${limitMs / 1000} s`);
      return this.#answer(ask, limit.signal);
    });
  }

  /** Ends what runs. */
  close(): void {
    this.#closing.abort();
    this.#finder.close();
  }

  async #answer(ask: FileAsk, signal: AbortSignal): Promise<unknown> {
    if (!isChange(ask))
      return this.#gate.run(signal, async () => this.#look(ask, (await this.#placeOf(ask, signal)).place));
    const { cwd, folder } = ask.session;
    return this.#gate.alone(cwd ?? folder, signal, async () => {
      const { place, isBefore } = await this.#placeOf(ask, signal);
      if (!isBefore) return change(ask, place);
      throw new DragomanError(
        'conflict',
        'the worktree of this session is created with its first prompt; until then nothing can be changed in it',
      );
    });
  }

  async #placeOf({ session }: FileAsk, signal: AbortSignal): Promise<{ place: RepositoryOptions; isBefore: boolean }> {
    const { root, isBefore } = await sessionPlace(session, this.#options);
    return { place: { folder: root, environment: this.#options.environment ?? process.env, signal }, isBefore };
  }

  /**
   * Which folder a path is in, and its way from there. Agents also write whole paths; one in a worktree may name a file
   * of the folder that the worktree was made from.
   */
  async #named({ session, path }: { session: SessionSpec; path: string }, root: string): Promise<NamedFile> {
    if (!isAbsolute(path)) return { folder: root, path };
    const inRoot = relativeTo(root, path) ?? relativeTo(session.cwd ?? session.folder, path);
    if (inRoot !== undefined) return { folder: root, path: inRoot };
    const folder = await this.#options.folders.resolve(session.folder);
    const inFolder = relativeTo(folder, path) ?? relativeTo(session.folder, path);
    // Where it is in neither, it is refused as it stands.
    return inFolder === undefined ? { folder: root, path } : { folder, path: inFolder };
  }

  async #look(ask: Exclude<FileAsk, ChangeAsk>, place: RepositoryOptions): Promise<unknown> {
    switch (ask.method) {
      case 'list-files':
        return listFiles(place.folder, ask.path ?? '');
      case 'find-files':
        return this.#finder.find(place, ask.q, ask.limit);
      case 'read-file':
        return readSessionFile(place.folder, ask.path);
      case 'read-image': {
        const { folder, path } = await this.#named(ask, place.folder);
        return readSessionImage(folder, path, ask.from);
      }
      case 'list-file-changes':
        return readChanges(await openRepository(place));
      case 'read-diff':
        return readDiff(await theRepository(place), ask.path, ask.staged);
    }
  }
}

interface NamedFile {
  folder: string;
  path: string;
}

type ChangeAsk = Extract<FileAsk, { method: 'stage-files' | 'discard-changes' | 'commit-changes' }>;

function isChange(ask: FileAsk): ask is ChangeAsk {
  return ask.method === 'stage-files' || ask.method === 'discard-changes' || ask.method === 'commit-changes';
}

async function change(
  ask: ChangeAsk,
  place: RepositoryOptions,
): Promise<FileChanges | { commit: string; changes: FileChanges }> {
  const repository = await theRepository(place);
  switch (ask.method) {
    case 'stage-files':
      await stageFiles(repository, ask.paths, ask.isStaged);
      return readChanges(repository);
    case 'discard-changes':
      await discardChanges(repository, ask.paths);
      return readChanges(repository);
    case 'commit-changes': {
      const commit = await commitChanges(repository, ask.message, ask.author);
      return { commit, changes: await readChanges(repository) };
    }
  }
}

async function theRepository(place: RepositoryOptions): Promise<Repository> {
  const repository = await openRepository(place);
  if (repository === undefined)
    throw new DragomanError('bad-request', `${place.folder} is not a Git repository; run "git init" there first`);
  return repository;
}
