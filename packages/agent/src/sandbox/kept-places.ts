import { lstatSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_EMPTY } from './protected-names.ts';

/** Folders at the top of projects that are kept from being made. */
export interface KeptPlaces {
  /** Those that are ours. */
  made: string[];
  /** Those that another program has put something else in place of. */
  replaced(): string[];
  letGo(): void;
}

/** Empty folders of ours that stand in for what is not there, and how many commands need each. */
const kept = new Map<string, number>();

/**
 * Makes empty folders where programs look by themselves, for as long as a command runs.
 *
 * One that is there and empty may be that of another Dragoman, who takes it away when its own command has ended, and with it what
 * is mounted there.
 */
export function keepPlaces(roots: readonly string[]): KeptPlaces {
  const places = roots.flatMap((root) => KEPT_EMPTY.map((name) => join(root, name)));
  const ours = places.filter((path) => kept.has(path) || makes(path));
  if (kept.size === 0 && ours.length > 0) process.on('exit', letAllGo);
  for (const path of ours) kept.set(path, (kept.get(path) ?? 0) + 1);
  const others = places
    .filter((path) => !ours.includes(path) && isEmpty(path))
    .map((path) => ({ path, was: identity(path) }));
  return {
    made: [...ours],
    replaced: () =>
      others
        .filter(({ path, was }) => ![undefined, was].includes(identity(path)) && !isEmpty(path))
        .map(({ path }) => path),
    letGo: () => letPlacesGo(ours),
  };
}

function letPlacesGo(places: string[]): void {
  for (const path of places.splice(0)) {
    const users = kept.get(path)! - 1;
    if (users > 0) kept.set(path, users);
    else letGo(path);
  }
  if (kept.size === 0) process.off('exit', letAllGo);
}

function letAllGo(): void {
  for (const path of kept.keys()) letGo(path);
}

function letGo(path: string): void {
  kept.delete(path);
  try {
    rmdirSync(path);
  } catch {
    // Somebody outside has put something into it.
  }
}

/** In one go: between asking and making, another command could take the folder for somebody else's. */
function makes(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false; // It is there, or cannot be made from inside either.
  }
}

function isEmpty(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** Tells a folder from another one in its place; the number of a file is used again. */
function identity(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
