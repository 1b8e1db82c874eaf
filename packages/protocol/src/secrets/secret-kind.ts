/** A kind of secret that a text may hold. */
export interface SecretKind {
  /** Without one of these the pattern cannot match. Looking for them is much faster than the pattern is. */
  hints: readonly string[];
  /** Every part has a length that it cannot exceed: a pattern without an end fails on megabytes that fit it. */
  pattern: RegExp;
  /** How far behind a hint a match may end. */
  reach: number;
  /** Stands for the whole match, or for the group named `secret`, or `long` where its end was not looked for. */
  mark: string;
  /** What the group named `secret` must look like, where its surroundings do not say enough. */
  isSecret?: (secret: string) => boolean;
  /** Whether a secret of `LONGEST_READ` characters may go on behind what the pattern reads, as tokens of sessions do. */
  mayGoOn?: boolean;
}

/** How far before a hint a match may begin, with what is looked at before it. */
export const REACH_BEFORE = 256;
/** So much of a value is looked at; it takes no more to judge it. */
export const LONGEST_READ = 512;
