import { dirname } from 'node:path';
import { z } from 'zod';
import { findProtected, linksAt, type Opener } from './find-protected.ts';
import { appearedOn, giveRights, holdBack, type HeldBack, nameAsText, putLinkBack } from './hold-back.ts';
import { isWithin } from './mounts.ts';

/** How guarded folders were before a command began, to be compared with how they are when it has ended. */
export const guardedSchema = z.object({
  roots: z.array(z.string()),
  /** What the command cannot change as a whole. */
  skipped: z.array(z.string()),
  /** Protected things; of symbolic links what they say. */
  before: z.array(z.tuple([z.string(), z.string().nullable()])),
  /** Those of them that are no protected names, but on the way to a protected place. */
  links: z.array(z.string()),
  /** Protected places that led to nothing. */
  absent: z.array(z.string()),
});
export type Guarded = z.infer<typeof guardedSchema>;

/** Takes their names from things that appeared at protected places, and from `others`; puts links back. */
export async function settleGuarded(guarded: Guarded, others: readonly string[] = []): Promise<HeldBack[]> {
  const { roots, absent } = guarded;
  const before = new Map(guarded.before.map(([path, link]) => [path, link ?? undefined]));
  const found = await findProtected(roots, new Set(guarded.skipped), openerIn(roots));
  const after = new Map([...found.things, ...(await linksAt(guarded.links))]);
  const isNew = ([path, link]: [string, string | undefined]) => !before.has(path) || before.get(path) !== link;
  const rootOf = (path: string) => roots.find((root) => isWithin(root, path))!;
  const strange = [
    ...[...after].filter(isNew).map(([path]) => path),
    ...found.closed,
    ...absent.flatMap((path) => appearedOn(rootOf(path), path) ?? []),
    ...others,
  ];
  const held = [...new Set(strange)].map(holdBack);
  for (const [path, link] of before) if (link !== undefined && after.get(path) !== link) putLinkBack(path, link);
  return held;
}

/** What a command has hidden is made visible again, with the rights that its owner has. */
function openerIn(roots: readonly string[]): Opener {
  return {
    open: (folder) =>
      giveRights(folder) || (!roots.includes(folder) && giveRights(dirname(folder)) && giveRights(folder)),
    name: nameAsText,
  };
}
