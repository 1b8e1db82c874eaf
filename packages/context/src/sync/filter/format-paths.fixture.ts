import { PathFilter, type PathFilterOptions } from './path-filter.ts';

/** What becomes of each path, asked from the root down as a walk does. A path with `/` at its end is a folder. */
export function formats(root: string, paths: readonly string[], options?: PathFilterOptions): string[] {
  const filter = new PathFilter(root, options);
  return paths.map((path) => {
    const isFolder = path.endsWith('/');
    const names = path.replace(/\/$/, '').split('/');
    for (const [index, name] of names.entries()) {
      const local = filter.makeLocalFilter(names.slice(0, index).join('/'));
      const info = local.getPathInfo(name, isFolder || index < names.length - 1 ? 'Directory' : 'File');
      if (!info.accepted) return info.format();
    }
    return 'Accepted';
  });
}

export const format = (root: string, path: string, options?: PathFilterOptions) => formats(root, [path], options)[0];
