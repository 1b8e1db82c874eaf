import { MASK } from '@dragoman/protocol/secrets';
import { formatPlace, formatSetting } from './config-problem.ts';
import type { LoadedConfig } from './load-config.ts';
import { maskInList, maskInText } from './mask-texts.ts';
import { Secret } from './secret.ts';

export interface ExplainedSetting {
  setting: string;
  /** As JSON; secrets, and everything that came through a reference, are masked. */
  value: string;
  /** `default`, an option such as `--port`, or the place in the file. */
  from: string;
}

/** The effective configuration, one line for each value, with where it came from. */
export function explainConfig(config: LoadedConfig<unknown>): ExplainedSetting[] {
  const settings: ExplainedSetting[] = [];
  const visit = (value: unknown, path: PropertyKey[]): void => {
    const shown = Array.isArray(value) ? maskInList(value, path.at(-1)) : value;
    const children =
      shown instanceof Secret || typeof shown !== 'object' || shown === null ? [] : Object.entries(shown);
    if (children.length > 0) {
      for (const [key, child] of children) visit(child, [...path, Array.isArray(value) ? Number(key) : key]);
      return;
    }
    if (value === undefined) return;
    const origin = config.originOf(path);
    const references = origin?.references ?? [];
    const isHidden = value instanceof Secret || references.length > 0;
    const through = references.length === 0 ? '' : ` through ${references.join(', ')}`;
    settings.push({
      setting: formatSetting(path),
      value: isHidden ? MASK : JSON.stringify(typeof value === 'string' ? maskInText(value) : value),
      from: origin === undefined ? 'default' : `${formatPlace(origin.place)}${through}`,
    });
  };
  visit(config.value, []);
  return settings;
}
