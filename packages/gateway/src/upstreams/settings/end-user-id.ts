import { createHash } from 'node:crypto';

/** The name of an end user, no longer than a provider takes it: a longer one is told by its hash. */
export function endUserId(name: string | undefined, longest: number): string | undefined {
  if (name === undefined || name.length <= longest) return name;
  return createHash('sha256').update(name).digest('hex').slice(0, longest);
}
