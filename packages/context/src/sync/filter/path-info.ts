import { type IgnoreRule } from './ignore-rules.ts';

/** What stands in a folder. A symbolic link is `Other`, wherever it leads: links are never followed. */
export type PathType = 'File' | 'Directory' | 'Other';

/** What the filter says about a path, and in which words to tell a person. */
export type PathInfo = AcceptedPath | RejectedPath;

export interface AcceptedPath {
  readonly accepted: true;
  format(): string;
}

export interface RejectedPath {
  readonly accepted: false;
  /** Which part of the filter said no. An ignore file is named by its full path. */
  readonly layer: string;
  /** The line that matched, where the layer is a list of them. */
  readonly rule?: IgnoreRule;
  format(): string;
}

export const ACCEPTED: AcceptedPath = { accepted: true, format: () => 'Accepted' };

/** The server takes the path's blob never. */
export const REJECTED_BY_INTAKE: RejectedPath = reject('intake service', 'Rejected by intake service');

/** A link, a socket, a device or a pipe. */
export const NOT_A_FILE: RejectedPath = reject('file type', 'Not a file');

/** A name that is no text. Another program's view of it is not the one a reader would ask for, so it is left alone. */
export const NAME_NOT_TEXT: RejectedPath = reject('file name', 'The name is not valid UTF-8');

export function unsupportedExtension(extension: string): RejectedPath {
  return reject('file extension', `Unsupported file extension (${extension})`);
}

export function ignoredBy(layer: string, rule: IgnoreRule): RejectedPath {
  return {
    accepted: false,
    layer,
    rule,
    format: () => `Ignored by ${layer}${rule.line === undefined ? '' : `:${rule.line}`} (${rule.text})`,
  };
}

/** Rules that cannot be read might have left anything out, so everything they could speak about is. */
export function rulesUnreadable(layer: string, why: string): RejectedPath {
  return reject(layer, `Left out because ${layer} cannot be read (${why})`);
}

function reject(layer: string, reason: string): RejectedPath {
  return { accepted: false, layer, format: () => reason };
}
