import { DragomanError } from '@dragoman/protocol';
import { MASK } from '@dragoman/protocol/secrets';
import { ConfigInvalidError, type ConfigProblem, loadConfig } from '@dragoman/server/base';
import type { Setup } from '../load-setup.ts';
import type { DragomanConfig } from '../rooms.ts';

/** A setting that is not saved yet. */
export interface Draft {
  /** Where it will stand: `["mcp", "files"]`. */
  path: [section: string, name: string];
  value: unknown;
  /** What it is called in the request. */
  field: string;
}

/**
 * The configuration as it would be with a setting that is not saved: references are resolved and everything is checked, as
 * when the file is read. A mistake in the draft is told with its place.
 */
export function readDraft(source: Setup['source'], { path, value, field }: Draft): DragomanConfig {
  refuseMasks(value, field);
  if (path.includes('__proto__'))
    throw new DragomanError('bad-request', `${path.join('.')}: this name is not allowed. Choose another one.`);
  try {
    return loadConfig({ ...source, overrides: [...source.overrides, { path, value, source: field }] }).value;
  } catch (error) {
    if (!(error instanceof ConfigInvalidError)) throw error;
    const isOfDraft = ({ place }: ConfigProblem) => 'source' in place && place.source === field;
    if (!error.problems.every(isOfDraft))
      throw new DragomanError('conflict', `${error.message}\nFix the file first.`, { cause: error });
    const told = error.problems.map(({ setting, message }) => `${withinField(setting, path, field)}: ${message}`);
    throw new DragomanError('bad-request', told.join('\n'), { cause: error });
  }
}

/** `mcp.files.command[0]` as who sent it knows it: `server.command[0]`. */
function withinField(setting: string, [section = '', name = '']: readonly string[], field: string): string {
  const spelt = [`${section}.${name}`, `${section}[${JSON.stringify(name)}]`];
  const place = spelt.find((each) => setting.startsWith(each));
  return place === undefined ? setting : `${field}${setting.slice(place.length)}`;
}

/** Who reads the configuration sees masks in place of secrets that stand in it; with those nothing can be tried. */
function refuseMasks(value: unknown, place: string): void {
  if (typeof value === 'string' && value.includes(MASK))
    throw new DragomanError(
      'bad-request',
      `${place}: this is the masked value, not the secret. Enter the secret again, or refer to one as {secret:name}.`,
    );
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) refuseMasks(inner, `${place}.${key}`);
}
