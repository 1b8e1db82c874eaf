import { AUGMENT_RULES, SAFETY_RULES } from '../sync/filter/built-in-rules.ts';
import { IgnoreRules } from '../sync/filter/ignore-rules.ts';

const AUGMENT = new IgnoreRules(AUGMENT_RULES.map((text) => ({ text })));
const SAFETY = new IgnoreRules(
  SAFETY_RULES.map((text) => ({ text })),
  true,
);

/** Whether the built-in safety rules leave out this file, or a folder it stands in. The path is relative to the root. */
export function isUnsafePath(path: string): boolean {
  const names = path.split(/[\\/]/);
  return names.some((name, index) => {
    const entry = names.slice(0, index + 1).join('/');
    const isFolder = index < names.length - 1;
    return [AUGMENT, SAFETY].some((rules) => rules.match(entry, name, isFolder)?.isNegative === false);
  });
}
