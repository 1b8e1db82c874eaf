/** A folder on the way to another one. */
export interface Crumb {
  name: string;
  path: string;
}

/** The folders on the way to a path, the outermost first. Paths of Windows machines keep their way of writing. */
export function crumbsOf(path: string): Crumb[] {
  if (path === '') return [];
  const separator = separatorOf(path);
  const [root = '', ...names] = path.split(separator);
  const crumbs: Crumb[] = [
    root === '' ? { name: separator, path: separator } : { name: root, path: withEnd(root, separator) },
  ];
  let way = root;
  for (const name of names) {
    if (name === '') continue;
    way += separator + name;
    crumbs.push({ name, path: way });
  }
  return crumbs;
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return crumbsOf(path).at(-1)?.name ?? path;
}

/** What somebody who is still typing means: the folder they are in, and how the next name begins. */
export function typedPlace(text: string): { folder: string; beginning: string } {
  const separator = separatorOf(text);
  const end = text.lastIndexOf(separator);
  if (end === -1) return { folder: '', beginning: text };
  return { folder: end === 0 ? separator : withEnd(text.slice(0, end), separator), beginning: text.slice(end + 1) };
}

function separatorOf(path: string): string {
  return /^[A-Za-z]:\\|^\\\\/.test(path) ? '\\' : '/';
}

/** `C:` alone would be the folder a program happens to be in. */
function withEnd(path: string, separator: string): string {
  return /^[A-Za-z]:$/.test(path) ? path + separator : path;
}
