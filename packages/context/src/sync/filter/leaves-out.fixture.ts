import { IgnoreRules } from './ignore-rules.ts';

/**
 * Whether rules leave out a path, asked the way a walk does: a folder that is left out is not entered. A path with `/` at
 * its end is a folder.
 */
export function leavesOut(text: string, path: string): boolean {
  const rules = IgnoreRules.parse(text);
  const isFolder = path.endsWith('/');
  const names = path.replace(/\/$/, '').split('/');
  return names.some((name, index) => {
    const rule = rules.match(names.slice(0, index + 1).join('/'), name, isFolder || index < names.length - 1);
    return rule?.isNegative === false;
  });
}
