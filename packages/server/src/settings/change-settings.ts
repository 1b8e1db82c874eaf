import { accessSync, constants, statSync } from 'node:fs';
import { DragomanError } from '@dragoman/protocol';
import type { SettingChange } from '@dragoman/protocol/console';
import type { z } from 'zod';
import { ConfigInvalidError, formatSetting } from '../config/config-problem.ts';
import { type ConfigChange, editConfig } from '../config/edit-config.ts';
import { parseJsoncDocument } from '../config/jsonc-document.ts';
import { type ConfigSource, loadConfigText, readConfigText, readOwnText, readSecrets } from '../config/load-config.ts';
import { replaceFile } from '../config/replace-file.ts';
import { SecretsFile, withSecrets } from '../config/secrets-file.ts';
import { isOwnSetting, readLayerCopy, type SharedLayer, withChanges } from '../shared-settings/shared-layer.ts';
import type { SharedSettings } from '../shared-settings/shared-settings.ts';
import { keepSecrets, maskSecrets } from './mask-secrets.ts';
import { versionOf } from './read-settings.ts';

/** What somebody wants to be different. */
export interface SettingsRequest {
  /** The version that was read; without one, whatever is there is changed. */
  version?: string | undefined;
  changes: readonly SettingChange[];
  /** Secrets to keep, by name. */
  secrets?: Readonly<Record<string, string>> | undefined;
}

/**
 * Changes the configuration and its secrets: all of it or nothing, and in force when this returns.
 *
 * What would come out is loaded as a start would load it before anything is written. It runs without a pause, so two
 * changes cannot get between each other.
 */
export function changeSettings(source: ConfigSource<z.ZodType>, request: SettingsRequest, reload: () => void): void {
  const before = readOwnText({ ...source, isFileRequired: false });
  if (request.version !== undefined && request.version !== versionOf(before))
    throw new DragomanError('conflict', `${source.file} has changed since you read it. Read it again, then change it.`);
  refuseLong(JSON.stringify(request.changes));
  const after = editConfig(before, editsOf(source, before, request.changes));
  if (after.length > before.length) refuseLong(after);
  const secretsFile = new SecretsFile(source.secretsFile);
  const entries = new Map(Object.entries(request.secrets ?? {}));
  const secrets = withSecrets(readSecrets(source), entries);
  loadConfigText(source, after, readLayerCopy(source.sharedFile), () => secrets);

  if (after !== before) refuseReadOnly(source.file);
  const undo = entries.size === 0 ? undefined : secretsFile.change(entries);
  try {
    if (after !== before) writeConfig(source.file, after);
    reload();
  } catch (error) {
    if (undo !== undefined) secretsFile.change(undo);
    if (after !== before && readOwnText({ ...source, isFileRequired: false }) === after)
      writeConfig(source.file, before);
    throw error;
  }
}

/**
 * The same for all servers on one PostgreSQL: in force here when this returns, and on the others a moment later. What is one
 * server's own is changed in the file of this one.
 */
export async function changeSharedSettings(
  source: ConfigSource<z.ZodType>,
  request: SettingsRequest,
  { shared, reload }: { shared: Pick<SharedSettings, 'change'>; reload: () => void },
): Promise<void> {
  refuseLong(JSON.stringify(request.changes));
  const entries = new Map(Object.entries(request.secrets ?? {}));
  await shared.change(request.version, (layer) => {
    const before = readConfigText({ ...source, isFileRequired: false }, layer);
    const edits = editsOf(source, before, request.changes);
    const after = editConfig(before, edits);
    if (after.length > before.length) refuseLong(after);
    const secrets = withSecrets(new Map(Object.entries(layer.secrets)), entries);
    const common = edits.filter(({ path }) => !isOwnSetting(path));
    const made = { ...withChanges(layer, common), secrets: Object.fromEntries(secrets) };
    refuseHeldBack(source, { edits, layer, made });
    return made;
  });
  const own = request.changes.filter(({ path }) => isOwnSetting(path));
  if (own.length > 0) changeSettings(source, { changes: own }, reload);
}

/** What was held back here before may stay so; nothing else may come to it by a change that is made here. */
function refuseHeldBack(
  source: ConfigSource<z.ZodType>,
  { edits, layer, made }: { edits: readonly ConfigChange[]; layer: SharedLayer; made: SharedLayer },
): void {
  const own = readOwnText({ ...source, isFileRequired: false });
  const ownEdits = edits.filter(({ path }) => isOwnSetting(path));
  const { heldBack } = loadConfigText(source, editConfig(own, ownEdits), made);
  if (heldBack.length === 0) return;
  const known = loadConfigText(source, own, layer).heldBack.map(({ change }) => change);
  const errors = heldBack.flatMap(({ change, error }) => (known.includes(change) ? [] : [error]));
  if (errors.length === 0) return;
  const problems = errors.flatMap((error) => (error instanceof ConfigInvalidError ? error.problems : []));
  throw problems.length === 0 ? errors[0] : new ConfigInvalidError(problems);
}

/** What is changed in a text, with the secrets that were masked when somebody read it; what an option decides is refused. */
function editsOf(source: ConfigSource<z.ZodType>, text: string, changes: readonly SettingChange[]): ConfigChange[] {
  const { value, problems } = parseJsoncDocument(text, source.file);
  if (problems.length > 0) throw new ConfigInvalidError(problems); // Nobody knows what a place in it means.
  const shown = maskSecrets(source.schema, value);
  const edits = changes.map(({ path, value: given }) => ({
    path,
    ...(given !== undefined && { value: keepSecrets(given, valueAt(value, path), valueAt(shown, path), path) }),
  }));
  const result = parseJsoncDocument(editConfig(text, edits), source.file).value;
  for (const { path, source: option } of source.overrides)
    if (JSON.stringify(valueAt(result, path)) !== JSON.stringify(valueAt(value, path)))
      throw new DragomanError(
        'conflict',
        `${formatSetting(path)} is set by ${option}, which overrides the file. Start the server without it first.`,
      );
  return edits;
}

/** Every start and every change reads the whole file, and the server waits meanwhile. */
const MOST_CHARS = 256 * 1024;

function refuseLong(text: string): void {
  if (text.length <= MOST_CHARS) return;
  throw new DragomanError(
    'too-large',
    `The settings would be ${Math.ceil(text.length / 1024)} KB; the limit is ${MOST_CHARS / 1024} KB. Move long texts into files, and use {file:path} instead.`,
  );
}

function writeConfig(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw cannotWrite(file, (error as NodeJS.ErrnoException).code, error);
  }
}

/** A file that is marked as read-only could still be replaced; whoever marked it does not want that. */
function refuseReadOnly(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, (error as NodeJS.ErrnoException).code, error);
  }
  if ((found.mode & 0o222) === 0) throw cannotWrite(file, 'it is read-only');
}

function cannotWrite(file: string, reason: string | undefined, cause?: unknown): DragomanError {
  return new DragomanError(
    'conflict',
    `The configuration file ${file} cannot be written (${reason}); nothing was changed. Make it and its folder writable, or edit it by hand.`,
    { cause },
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return inner;
}
