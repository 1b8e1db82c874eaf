import type { HostileWorld } from './hostile-world.ts';

/** What a repository has done to its surroundings. */
interface Harm {
  /** Tricks that have left their mark. */
  marks: string[];
  /** Places where a secret stands in something that was sent or shown. */
  leaks: string[];
  /** What is new, different or gone outside. */
  changes: string[];
}

export const NO_HARM: Harm = { marks: [], leaks: [], changes: [] };

const SHOWN_BEFORE = 200;

/** Compares the world with how it was, and looks for secrets in all that anybody was sent or shown. */
export function harmDone(world: HostileWorld, before: readonly string[], seen: readonly string[]): Harm {
  const leaks = world.secrets.flatMap((secret) =>
    seen.flatMap((text) => {
      const at = text.indexOf(secret);
      return at === -1 ? [] : [text.slice(Math.max(0, at - SHOWN_BEFORE), at + secret.length)];
    }),
  );
  const after = world.fingerprint();
  const [old, now] = [new Set(before), new Set(after)];
  const changes = [...after.filter((line) => !old.has(line)), ...before.filter((line) => !now.has(line))];
  return { marks: world.marks(), leaks: leaks.slice(0, 3), changes };
}
