import { isAbsolute, join, relative, sep } from 'node:path';

/**
 * Where a module of ours stands in the checkout, as `packages/…`; nothing for one of a package, or one that the bundler made.
 *
 * Throws for one that is in neither: where `node_modules` is a link into another checkout, our own packages are that one's, and
 * what would be packed is not what stands here.
 */
export function placeOfModule(root: string, id: string): string | undefined {
  if (!isAbsolute(id) || id.split(/[\\/]/).includes('node_modules')) return undefined;
  const place = relative(root, id).replaceAll(sep, '/');
  if (place.startsWith('packages/')) return place;
  throw new Error(
    `${id} is not in the checkout ${root}: ${join(root, 'node_modules')} leads to another one. Remove it, run "npm ci" here, and pack again.`,
  );
}
