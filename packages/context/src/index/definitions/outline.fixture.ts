import { findDefinitions } from './find-definitions.ts';

/** A file's definitions as `line-end kind container > name`; the line break that begins the text is left out. */
export function outline(path: string, text: string): string[] {
  return findDefinitions(path, text.replace(/^\n/, '')).map(
    ({ line, endLine, kind, name, container }) =>
      `${line}-${endLine} ${kind} ${container === undefined ? '' : `${container} > `}${name}`,
  );
}
