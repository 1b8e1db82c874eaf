/** A kind of secret that a text may hold. */
export interface SecretKind {
  /** Without one of these the pattern cannot match. Looking for them is much faster than the pattern is. */
  hints: readonly string[];
  /** Every part has a length that it cannot exceed: a pattern without an end fails on megabytes that fit it. */
  pattern: RegExp;
  /** How far behind a hint a match may end. */
  reach: number;
  /** Stands for the whole match, or for the group named `secret`. */
  mark: string;
  /** What the group named `secret` must look like, where its surroundings do not say enough. */
  isSecret?: (secret: string) => boolean;
}

/** How far before a hint a match may begin, with what is looked at before it. */
export const REACH_BEFORE = 256;
