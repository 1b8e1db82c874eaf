import { readFileSync } from 'node:fs';
import { DragomanError } from '@dragoman/protocol';
import type { z } from 'zod';
import { type JsoncDocument, parseJsoncDocument } from './jsonc-document.ts';
import {
  ConfigInvalidError,
  type ConfigPlace,
  type ConfigProblem,
  formatSetting,
  MOST_PROBLEMS,
  SHARED_PLACE,
} from './config-problem.ts';
import { describeIssue } from './describe-issue.ts';
import { type Reference, resolveReferences } from './resolve-references.ts';
import {
  EMPTY_LAYER,
  isWithin,
  readLayerCopy,
  type SharedLayer,
  withChanges,
} from '../shared-settings/shared-layer.ts';
import { type ConfigChange, editConfig } from './edit-config.ts';
import { fitChanges, type RefusedChange } from './fit-changes.ts';
import { SecretsFile } from './secrets-file.ts';

/** A setting that was given outside the file and wins over it. */
export interface ConfigOverride {
  path: string[];
  value: unknown;
  /** What brought it, as the user wrote it: `--port`. */
  source: string;
}

/** What a configuration is read from, and what it has to be. */
export interface ConfigSource<Schema extends z.ZodType> {
  schema: Schema;
  file: string;
  /** A file named by the user must be there; the default one need not. */
  isFileRequired: boolean;
  secretsFile: string;
  /** The copy of what all servers on one PostgreSQL share, which lies over the file. */
  sharedFile?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  overrides: readonly ConfigOverride[];
}

/** A configuration that is good. */
export interface LoadedConfig<Value> {
  value: Value;
  /** What was read, references resolved: equal inputs mean that nothing changed. */
  fingerprint: string;
  /** The variables that it refers to as `{env:NAME}`. */
  environmentNames: readonly string[];
  /** Where a setting's value came from; undefined means that it is the default. */
  originOf(path: readonly PropertyKey[]): ConfigOrigin | undefined;
  /** What is in force of the settings that servers share. */
  shared: readonly ConfigChange[];
  /** What of them cannot be in force on this server. */
  heldBack: readonly RefusedChange[];
}

/** Where a value came from. */
export interface ConfigOrigin {
  place: ConfigPlace;
  /** The references that the value was made from, such as `env:NAME`. */
  references: string[];
}

/**
 * Reads the file, puts in what was given on the command line, resolves references and checks all of it.
 *
 * Every mistake is found before it gives up: syntax first, because nothing after a broken line means what it seems
 * to, then missing references and wrong settings together. What servers share and cannot be in force on this one is
 * held back, and stops nothing else.
 */
export function loadConfig<Schema extends z.ZodType>(source: ConfigSource<Schema>): LoadedConfig<z.output<Schema>> {
  return loadConfigText(source, readOwnText(source));
}

/** Loads a text as if the file had it, with a layer over it and secrets that may not be kept yet. */
export function loadConfigText<Schema extends z.ZodType>(
  source: ConfigSource<Schema>,
  text: string,
  layer: SharedLayer = readLayerCopy(source.sharedFile),
  secrets: () => ReadonlyMap<string, string> = () => readSecrets(source, layer),
): LoadedConfig<z.output<Schema>> {
  const own = parseJsoncDocument(text, source.file);
  if (own.problems.length > 0) throw new ConfigInvalidError(own.problems);
  const { result, kept, refused } = fitChanges([...(layer.before ?? []), ...layer.changes], (changes) =>
    loadDocument(source, layDocumentOver(source, { text, own }, changes), secrets),
  );
  return {
    ...result,
    shared: withChanges(EMPTY_LAYER, kept).changes,
    heldBack: refused.filter(({ change }) => layer.changes.includes(change)),
  };
}

function loadDocument<Schema extends z.ZodType>(
  source: ConfigSource<Schema>,
  document: JsoncDocument,
  secrets: () => ReadonlyMap<string, string>,
): Omit<LoadedConfig<z.output<Schema>>, 'shared' | 'heldBack'> {
  if (document.problems.length > 0) throw new ConfigInvalidError(document.problems);

  const placeOf = (path: readonly PropertyKey[], part?: 'key' | 'value'): ConfigPlace => {
    const override = overrideAt(source.overrides, path);
    return override === undefined ? document.placeOf(path, part) : { source: override.source };
  };
  const written = withOverrides(document.value, source.overrides);
  const resolved = resolveReferences(written, {
    env: source.env,
    configFile: source.file,
    secrets,
  });
  const missing = resolved.missing.slice(0, MOST_PROBLEMS + 1);
  const problems: ConfigProblem[] = missing.map(({ path, message }) => ({
    place: placeOf(path),
    setting: formatSetting(path),
    message,
  }));

  // A setting whose reference is missing has one mistake, not two.
  const settled = new Set(problems.map((problem) => problem.setting));
  const parsed = source.schema.safeParse(resolved.value);
  // Told by what is written: what a reference led to is nobody's business.
  for (const issue of parsed.error?.issues ?? []) {
    if (problems.length > MOST_PROBLEMS) break; // Finding the place of each reads much of the file.
    for (const { path, part, message } of describeIssue(issue, written, source.schema)) {
      const setting = formatSetting(path);
      if (!settled.has(setting)) problems.push({ place: placeOf(path, part), setting, message });
    }
  }
  if (!parsed.success || problems.length > 0) throw new ConfigInvalidError(problems.toSorted(byPlace));

  const environmentNames = environmentNamesIn(resolved.found);
  return {
    value: parsed.data,
    fingerprint: JSON.stringify([resolved.value, environmentNames]),
    environmentNames,
    originOf: (path) => originOf(path, document, source.overrides, resolved.found),
  };
}

/** The configuration as it counts: the file, and over it what is shared with other servers. */
export function readConfigText(
  source: Pick<ConfigSource<z.ZodType>, 'file' | 'isFileRequired' | 'sharedFile'>,
  layer: SharedLayer = readLayerCopy(source.sharedFile),
): string {
  const text = readOwnText(source);
  // One that cannot be read stays as it is: its mistakes are told first.
  return parseJsoncDocument(text, source.file).problems.length > 0 ? text : editConfig(text, layer.changes);
}

/** The file's document with changes over it. What they brought stands in no line of the file. */
function layDocumentOver(
  { file }: Pick<ConfigSource<z.ZodType>, 'file'>,
  { text, own }: { text: string; own: JsoncDocument },
  changes: readonly ConfigChange[],
): JsoncDocument {
  if (changes.length === 0) return own;
  const document = parseJsoncDocument(editConfig(text, changes), file);
  return {
    ...document,
    problems: document.problems.map((problem) => ({ ...problem, place: SHARED_PLACE })),
    placeOf(path, part) {
      let written = path;
      while (written.length > 0 && !document.has(written)) written = written.slice(0, -1);
      const isShared = !own.has(written) || changes.some((change) => isWithin(written, change.path));
      return isShared ? SHARED_PLACE : own.placeOf(written, part);
    },
  };
}

/** Secrets by their names: those of this machine, and over them those that all servers share. */
export function readSecrets(
  { secretsFile, sharedFile }: Pick<ConfigSource<z.ZodType>, 'secretsFile' | 'sharedFile'>,
  layer: SharedLayer = readLayerCopy(sharedFile),
): ReadonlyMap<string, string> {
  return new Map([...new SecretsFile(secretsFile).read(), ...Object.entries(layer.secrets)]);
}

/** The file as it is; nothing where it is not there and need not be. */
export function readOwnText(source: Pick<ConfigSource<z.ZodType>, 'file' | 'isFileRequired'>): string {
  try {
    return readFileSync(source.file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !source.isFileRequired) return '';
    const reason = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new DragomanError('config-invalid', `The configuration file ${source.file} ${reason}.`, { cause: error });
  }
}

function withOverrides(value: unknown, overrides: readonly ConfigOverride[]): unknown {
  let result = value;
  for (const override of overrides) result = withValue(result, override.path, override.value);
  return result;
}

function withValue(target: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? (target as Record<string, unknown>) : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}

function overrideAt(overrides: readonly ConfigOverride[], path: readonly PropertyKey[]): ConfigOverride | undefined {
  return overrides.findLast(
    (override) => override.path.length <= path.length && override.path.every((key, index) => key === path[index]),
  );
}

function originOf(
  path: readonly PropertyKey[],
  document: JsoncDocument,
  overrides: readonly ConfigOverride[],
  references: readonly Reference[],
): ConfigOrigin | undefined {
  const override = overrideAt(overrides, path);
  if (override !== undefined) return { place: { source: override.source }, references: [] };
  if (!document.has(path)) return undefined;
  const here = references.filter((reference) => formatSetting(reference.path) === formatSetting(path));
  return { place: document.placeOf(path), references: here.map((reference) => reference.name) };
}

function environmentNamesIn(references: readonly Reference[]): string[] {
  const names = references.flatMap(({ name }) => (name.startsWith('env:') ? [name.slice('env:'.length)] : []));
  return [...new Set(names)].toSorted();
}

function byPlace(one: ConfigProblem, other: ConfigProblem): number {
  if (!('line' in one.place) || !('line' in other.place)) return 0;
  return one.place.line - other.place.line || one.place.column - other.place.column;
}
