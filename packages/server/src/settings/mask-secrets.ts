import { DragomanError } from '@dragoman/protocol';
import { MASK, soundsSecret } from '@dragoman/protocol/secrets';
import type { z } from 'zod';
import { formatSetting } from '../config/config-problem.ts';
import { publishedAt } from '../config/published-schema.ts';
import { isReference } from '../config/resolve-references.ts';
import { maskInList, maskInText } from '../config/mask-texts.ts';

/**
 * The configuration as it is written, without secrets: references stay, texts are masked where the schema has a secret.
 *
 * So are texts at places the schema does not know, because a misspelt `apikey` holds a key all the same; and where it
 * allows anything at all, texts whose name sounds like a secret.
 */
export function maskSecrets(schema: z.ZodType, value: unknown, path: readonly PropertyKey[] = []): unknown {
  if (typeof value === 'string') return isSecret(schema, value, path) ? MASK : maskInText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return maskInList(value, path.at(-1)).map((item, index) => maskSecrets(schema, item, [...path, index]));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskSecrets(schema, item, [...path, key])]),
  );
}

/**
 * A value that somebody made from a masked one, with the secrets that they left alone.
 *
 * A list keeps its secrets in their order where as many are masked as before; with one more or less nobody knows which
 * is meant. Nor does anybody where a text around a mask was changed.
 */
export function keepSecrets(given: unknown, before: unknown, shown: unknown, path: readonly PropertyKey[]): unknown {
  if (isMasked(given)) {
    if (given === shown) return before;
    throw unknownMask(path);
  }
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return keepInList(given, before, shown, path);
  return Object.fromEntries(
    Object.entries(given).map(([key, item]) => [
      key,
      keepSecrets(item, innerOf(before, key), innerOf(shown, key), [...path, key]),
    ]),
  );
}

function keepInList(
  given: readonly unknown[],
  before: unknown,
  shown: unknown,
  path: readonly PropertyKey[],
): unknown[] {
  const [old, seen] = [Array.isArray(before) ? before : [], Array.isArray(shown) ? shown : []];
  const hidden = old.map((item: unknown, index) => ({ item, mask: seen[index] as unknown }));
  const kept = Map.groupBy(hidden, ({ mask }) => mask);
  for (const [mask, places] of Map.groupBy(given.filter(isMasked), (text) => text))
    if (places.length !== kept.get(mask)?.length) throw unknownMask(path);
  return given.map((item, index) =>
    isMasked(item) ? kept.get(item)!.shift()!.item : keepSecrets(item, old[index], seen[index], [...path, index]),
  );
}

function isSecret(schema: z.ZodType, text: string, path: readonly PropertyKey[]): boolean {
  if (text === '' || isReference(text)) return false;
  const nodes = publishedAt(schema, path);
  if (nodes.length === 0 || nodes.some(({ writeOnly }) => writeOnly === true)) return true;
  const types = new Set(nodes.map(({ type }) => type));
  const isAnything =
    nodes.some((node) => Object.keys(node).length === 0) || (types.has('string') && types.has('object'));
  return isAnything && soundsSecret(String(path.findLast((key) => typeof key === 'string') ?? ''));
}

function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.includes(MASK);
}

function innerOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function unknownMask(path: readonly PropertyKey[]): DragomanError {
  return new DragomanError(
    'bad-request',
    `${formatSetting(path)}: ${MASK} stands for a secret, but it is unclear which one. Enter it again, preferably as a reference such as {secret:name}.`,
  );
}
