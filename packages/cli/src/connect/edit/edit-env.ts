import type { FileEdit } from './file-edit.ts';
import { unreadable } from './unreadable.ts';

/** Sets a variable in a file of lines such as `NAME=value`. */
export function editEnv(text: string, { name, value }: Extract<FileEdit, { format: 'env' }>, file: string): string {
  const assignments = [...text.matchAll(new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=([^\\r\\n]*)`, 'gm'))];
  if (assignments.length > 1) throw unreadable(file, `${name} is set ${assignments.length} times; keep one of them`);
  const [found] = assignments;
  if (found !== undefined) {
    if (/^[ \t]*(?:"(?:[^"\\]|\\.)*|'[^']*|`[^`]*)$/.test(found[1]!))
      throw unreadable(file, `the value of ${name} spans several lines; write it on one line`);
    const from = found.index + found[0].length - found[1]!.length;
    return text.slice(0, from) + value + text.slice(found.index + found[0].length);
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${name}=${value}${eol}`;
}
