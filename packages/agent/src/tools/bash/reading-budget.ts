import { MOST_COMMANDS } from '@dragoman/protocol';

/** What is read of a shell text, with all scripts in it. A wrapper's words count again with what it wraps. */
const LIMITS = {
  characters: 10_000,
  /** Of the trees that it is read into. */
  nodes: 5_000,
  /** And redirects. */
  commands: MOST_COMMANDS,
  words: 1_000,
  /** Words such as `*.ts`, and folders that are looked into for them. */
  patterns: 100,
  folders: 500,
  paths: 2_000,
};

/** There is more in a text than is read. */
export class TooLong extends Error {}

/** How much of a shell text may still be read. Nobody else has a turn meanwhile, and a model writes what it likes. */
export class ReadingBudget {
  readonly #left = { ...LIMITS };

  spend(kind: keyof typeof LIMITS, amount = 1): void {
    this.#left[kind] -= amount;
    if (this.#left[kind] < 0) throw new TooLong(`It has more ${kind} than are read.`);
  }
}
