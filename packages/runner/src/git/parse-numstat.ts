/** Lines that came and went in a file. */
export interface LineCount {
  added: number;
  removed: number;
}

/**
 * Reads `git diff --numstat -z`: lines in and out by path, under the new name where a file was renamed. Files that are
 * not text are left out.
 */
export function parseNumstat(text: string): Map<string, LineCount> {
  const counts = new Map<string, LineCount>();
  const fields = text.split('\0');
  for (let at = 0; at < fields.length; at += 1) {
    const [, added, removed, name] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields[at]!) ?? [];
    if (added === undefined) continue;
    // A renamed file has an empty name here, and its two names behind it.
    const path = name === '' ? fields[(at += 2)] : name;
    if (path !== undefined && path !== '' && added !== '-')
      counts.set(path, { added: Number(added), removed: Number(removed) });
  }
  return counts;
}
