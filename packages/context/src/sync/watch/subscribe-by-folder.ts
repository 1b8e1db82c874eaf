import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { lookAt } from '../pipeline/look-at.ts';
import type { FileEvent, Subscribe } from './watch-folder.ts';

/** How long folders are looked into before others get their turn. */
const TURN_MS = 20;

/**
 * Follows a tree on Linux, where the system watches folders one by one.
 *
 * A folder is watched first and listed then, so that one made in between is noticed in either way. `@parcel/watcher`
 * does not: of `mkdir -p a/b` it watches `a` alone, and what is written below `b` is never told. Also, the system
 * puts an event into its queue before a write returns, and here it comes out in the next turn.
 */
export const subscribeByFolder: Subscribe = async (root, onEvents, ignore) => {
  const ignored = new Set(ignore);
  const watchers = new Map<string, FSWatcher>();
  /** The watched folders in each folder. */
  const inside = new Map<string, Set<string>>();
  const rootLook = lookOf(root);
  let isOver = false;

  /** How many turns it has let others have. */
  const add = async (top: string): Promise<number> => {
    const stack = [top];
    let turns = 0;
    let turnEnds = performance.now() + TURN_MS;
    while (stack.length > 0 && !isOver) {
      const folder = stack.pop()!;
      if (!watchOne(folder)) continue;
      for (const entry of list(folder)) {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory() && !ignored.has(path)) stack.push(path);
      }
      if (performance.now() < turnEnds) continue;
      await setImmediate();
      turnEnds = performance.now() + TURN_MS;
      turns++;
    }
    return turns;
  };
  /** False when it is gone already. */
  const watchOne = (folder: string): boolean => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    try {
      const watcher = watch(folder, { persistent: false }, (kind, name) => {
        if (isOver || name === null) return;
        if (kind === 'change') tell({ path: `${folder}/${name}`, type: 'update' });
        else appeared(folder, name);
      });
      watcher.on('error', (error) => {
        if (!isOver && !cannotBeEntered(error)) onEvents(error, []);
      });
      watchers.set(folder, watcher);
      const siblings = inside.get(dirname(folder));
      if (siblings === undefined) inside.set(dirname(folder), new Set([folder]));
      else siblings.add(folder);
      return true;
    } catch (error) {
      if (cannotBeEntered(error) && folder !== root) return false;
      throw error;
    }
  };
  /** Something of this name was made, moved or deleted; or the folder itself, which is told under its own name. */
  const appeared = (folder: string, name: string): void => {
    const path = `${folder}/${name}`;
    if (ignored.has(path)) return;
    const stats = lookAt(path);
    if (watchers.has(path)) forget(path);
    if (stats?.isDirectory() === true) {
      // A folder of the same name may be another one, so it is watched anew.
      tell({ path, type: 'create' });
      add(path).then(
        (turns) => turns > 0 && tell({ path, type: 'create' }),
        (error: unknown) => onEvents(error as Error, []),
      );
      return;
    }
    if (stats === undefined && folder === root && name === basename(root) && lookOf(root) !== rootLook)
      tell({ path: root, type: 'delete' });
    else tell({ path, type: stats === undefined ? 'delete' : 'create' });
  };
  const forget = (top: string): void => {
    inside.get(dirname(top))?.delete(top);
    const stack = [top];
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      watchers.get(folder)?.close();
      watchers.delete(folder);
      stack.push(...(inside.get(folder) ?? []));
      inside.delete(folder);
    }
  };
  const tell = (event: FileEvent) => {
    if (!isOver) onEvents(null, [event]);
  };
  const end = async () => {
    isOver = true;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };

  try {
    await add(root);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
};

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Gone, or not for us; a sweep says which.
  }
}

/** What tells one folder from another at the same place. */
function lookOf(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev} ${stats.ino} ${stats.birthtimeMs}`;
}

function cannotBeEntered(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES';
}
