import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';

/** As many as the system follows. */
const MOST_LINKS = 40;

/** The way a path goes: the symbolic links on it, and where it ends, whether or not something is there. */
export async function tracePath(path: string): Promise<{ links: string[]; end: string }> {
  const links: string[] = [];
  const ahead = path.split(sep);
  let at: string = sep;
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const stats = await lstat(next).catch(() => undefined);
    if (stats === undefined) return { links, end: join(next, ...ahead) };
    if (!stats.isSymbolicLink()) at = next;
    else if (links.push(next) > MOST_LINKS) return { links, end: next };
    else {
      const target = await readlink(next).catch(() => '');
      if (isAbsolute(target)) at = sep;
      ahead.unshift(...target.split(sep));
    }
  }
  return { links, end: at };
}
