import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { z } from 'zod';
import { describeHeldBack } from './held-back.ts';
import { type ConfigSource, loadConfig, type LoadedConfig } from './load-config.ts';

/** The eye on the configuration. */
export interface ConfigWatch {
  /** Why the file, or what servers share, is not in force as it is; what was good before is. */
  readonly problem: string | undefined;
  /** Reads the files now. When this returns they are in force; throws where they cannot be. */
  reload(): void;
  stop(): void;
}

/** Who is told of edits. */
export interface ConfigListener<Value> {
  /** The file was edited and is good. */
  changed(config: LoadedConfig<Value>): void;
  /** The file was edited and cannot be used; what was in force stays. */
  refused(error: unknown): void;
  /** What servers share is in force but for some, and this is why. */
  heldBack(problem: string): void;
}

/** An editor writes a file in several moves; they count as one edit when they come this close together. */
const SETTLE_MS = 60;

/**
 * Follows the configuration file and the secrets file while the server runs.
 *
 * The folders are watched rather than the files, because most editors put a new file in the place of the old one.
 */
export function watchConfig<Schema extends z.ZodType>(
  source: ConfigSource<Schema>,
  current: LoadedConfig<z.output<Schema>>,
  listener: ConfigListener<z.output<Schema>>,
): ConfigWatch {
  const names = new Map<string, Set<string>>();
  for (const file of [source.file, source.secretsFile, source.sharedFile].flatMap((path) =>
    path === undefined ? [] : [path, realPathOf(path)],
  )) {
    const folder = dirname(file);
    names.set(folder, (names.get(folder) ?? new Set()).add(basename(file)));
  }

  let hadFile = existsSync(source.file);
  let fingerprint = current.fingerprint;
  let settle: NodeJS.Timeout | undefined;
  let problem: string | undefined;
  const reload = () => {
    clearTimeout(settle);
    try {
      // A file that was there and is gone is an accident, not a wish for the defaults.
      const loaded = loadConfig({ ...source, isFileRequired: source.isFileRequired || hadFile });
      hadFile ||= existsSync(source.file);
      const told = problem;
      problem = describeHeldBack(loaded.heldBack);
      if (problem !== undefined && problem !== told) listener.heldBack(problem);
      if (loaded.fingerprint === fingerprint) return;
      fingerprint = loaded.fingerprint;
      listener.changed(loaded);
    } catch (error) {
      fingerprint = ''; // Taking the bad edit back is a change worth saying, too.
      problem = error instanceof Error ? error.message : String(error);
      listener.refused(error);
      throw error;
    }
  };
  const reloadQuietly = () => {
    try {
      reload();
    } catch {
      // Told to the listener.
    }
  };

  const watchers: FSWatcher[] = [];
  for (const [folder, files] of names) {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name !== null && !files.has(name)) return;
      clearTimeout(settle);
      settle = setTimeout(reloadQuietly, SETTLE_MS).unref();
    });
    watcher.on('error', listener.refused);
    watchers.push(watcher);
  }

  return {
    get problem() {
      return problem;
    },
    reload,
    stop() {
      clearTimeout(settle);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Where a link leads: editing what it leads to is an edit, too. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
