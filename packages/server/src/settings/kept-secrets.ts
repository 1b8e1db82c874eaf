import { DragomanError } from '@dragoman/protocol';
import type { z } from 'zod';
import { ConfigInvalidError, formatSetting } from '../config/config-problem.ts';
import { type JsoncDocument, parseJsoncDocument } from '../config/jsonc-document.ts';
import { type ConfigSource, readConfigText, readSecrets } from '../config/load-config.ts';
import { listReferences } from '../config/resolve-references.ts';
import { readLayerCopy, type SharedLayer } from '../shared-settings/shared-layer.ts';
import type { SharedSettings } from '../shared-settings/shared-settings.ts';
import { SecretsFile } from '../config/secrets-file.ts';

/** A secret that is kept, without its text. */
export interface KeptSecret {
  name: string;
  /** Settings that refer to it, and what else it is kept for. */
  usedBy: string[];
}

/** Tells what keeps a secret of that name beside the configuration, such as a login. */
export type OtherUses = (name: string) => readonly string[];

/** The names of secrets, and what each is for. */
export function listKeptSecrets(
  source: ConfigSource<z.ZodType>,
  otherUses: OtherUses = () => [],
  layer: SharedLayer = readLayerCopy(source.sharedFile),
): KeptSecret[] {
  const references = listReferences(readDocument(source, layer).value);
  const settingsOf = (name: string) =>
    references.filter((reference) => reference.name === `secret:${name}`).map(({ path }) => formatSetting(path));
  return [...readSecrets(source, layer).keys()].toSorted().map((name) => ({
    name,
    usedBy: [...settingsOf(name), ...otherUses(name)],
  }));
}

/** Deletes a secret, on all servers where they share it; one that something refers to stays. While the file cannot be read, nobody knows what does. */
export async function removeKeptSecret(
  source: ConfigSource<z.ZodType>,
  name: string,
  {
    otherUses,
    shared,
  }: { otherUses?: OtherUses | undefined; shared?: Pick<SharedSettings, 'change'> | undefined } = {},
): Promise<void> {
  const refuseUsed = (layer: SharedLayer): void => {
    const { problems } = readDocument(source, layer);
    if (problems.length > 0) throw new ConfigInvalidError(problems);
    const kept = listKeptSecrets(source, otherUses, layer).find((secret) => secret.name === name);
    if (kept === undefined) throw new DragomanError('not-found', `There is no secret named ${JSON.stringify(name)}.`);
    if (kept.usedBy.length > 0)
      throw new DragomanError(
        'conflict',
        `The secret ${name} is used by ${kept.usedBy.join(', ')}. Remove it there first.`,
      );
  };
  if (shared === undefined) refuseUsed(readLayerCopy(source.sharedFile));
  await shared?.change(undefined, (layer) => {
    refuseUsed(layer);
    const { [name]: _gone, ...secrets } = layer.secrets;
    return { ...layer, secrets };
  });
  new SecretsFile(source.secretsFile).remove(name);
}

function readDocument(source: ConfigSource<z.ZodType>, layer: SharedLayer): JsoncDocument {
  return parseJsoncDocument(readConfigText({ ...source, isFileRequired: false }, layer), source.file);
}
