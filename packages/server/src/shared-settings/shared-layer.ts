import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ConfigChange } from '../config/edit-config.ts';
import { replaceFile } from '../config/replace-file.ts';

const changeSchema = z.object({ path: z.array(z.string()), value: z.json().optional() });
const layerSchema = z.object({
  number: z.number(),
  changes: z.array(changeSchema),
  secrets: z.record(z.string(), z.string()),
  before: z.array(changeSchema).optional(),
});

/**
 * What was set through any of the servers that share a PostgreSQL: changes that lie over the file of each, in order, and the
 * secrets that they refer to. It is kept in the database; the file is each server's copy, which commands read too.
 */
export interface SharedLayer {
  /** Counts the changes of the layer. */
  number: number;
  changes: readonly ConfigChange[];
  secrets: Readonly<Record<string, string>>;
  /** In the copy of a server: what was in force there in place of changes that cannot be. */
  before?: readonly ConfigChange[] | undefined;
}

export const EMPTY_LAYER: SharedLayer = { number: 0, changes: [], secrets: {} };

/** What one server or machine is told, and no other: where it listens, and what its own machine offers. */
const OWN: readonly (readonly string[])[] = [['server', 'host'], ['server', 'port'], ['runner']];

/** Whether a setting is one of each server's own, which stays in its file. */
export function isOwnSetting(path: readonly string[]): boolean {
  return OWN.some((own) => own.every((key, at) => at >= path.length || path[at] === key));
}

/** Whether a setting is the one at a path, or a part of it. */
export function isWithin(setting: readonly PropertyKey[], path: readonly string[]): boolean {
  return path.every((key, at) => setting[at] === key);
}

/** A layer with more set in it: what is set again, or lies inside of what is set, is not kept twice. */
export function withChanges(layer: SharedLayer, changes: readonly ConfigChange[]): SharedLayer {
  let kept = layer.changes;
  for (const change of changes) kept = [...kept.filter(({ path }) => !isWithin(path, change.path)), change];
  return { ...layer, changes: kept };
}

/** This server's copy of the layer; an empty one where there is none, or none that can be read: the database has it. */
export function readLayerCopy(file: string | undefined): SharedLayer {
  if (file === undefined || !existsSync(file)) return EMPTY_LAYER;
  try {
    return layerSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return EMPTY_LAYER;
  }
}

export function writeLayerCopy(file: string, layer: SharedLayer): void {
  replaceFile(file, `${JSON.stringify(layer, null, 2)}\n`, 0o600);
}
