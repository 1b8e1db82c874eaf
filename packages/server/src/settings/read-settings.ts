import { createHash } from 'node:crypto';
import type { Settings } from '@dragoman/protocol/console';
import type { z } from 'zod';
import { parseJsoncDocument } from '../config/jsonc-document.ts';
import { type ConfigSource, readConfigText } from '../config/load-config.ts';
import type { SharedSettings } from '../shared-settings/shared-settings.ts';
import { maskSecrets } from './mask-secrets.ts';

/**
 * The configuration as people edit it: what the file says, whether it is in force or not.
 *
 * A file that is gone, or was never there, has no settings. One with a slip in its syntax shows what can be read of it.
 */
export function readSettings(
  source: ConfigSource<z.ZodType>,
  problem: string | undefined,
  shared?: Pick<SharedSettings, 'version'>,
): Omit<Settings, 'forNextStart' | 'servers'> {
  const text = readConfigText({ ...source, isFileRequired: false });
  const { value } = parseJsoncDocument(text, source.file);
  return {
    file: source.file,
    version: shared?.version ?? versionOf(text),
    settings: asSettings(maskSecrets(source.schema, value)),
    overridden: source.overrides.map(({ path }) => path),
    ...(problem !== undefined && { problem }),
  };
}

/** What a text is known by: another text is another version. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function asSettings(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
