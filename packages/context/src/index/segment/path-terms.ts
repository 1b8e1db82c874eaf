import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm, wordTerms } from '../text/word-terms.ts';

export interface PathTerms {
  /** Of the file's name, without what follows the last dot. */
  stem: string[];
  folders: string[];
}

/** The terms in a path. They are kept apart from those of the text, because where a word stands is worth more than how often. */
export function pathTerms(path: string): PathTerms {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  return {
    stem: termsOf(dot > 0 ? name.slice(0, dot) : name),
    folders: slash < 0 ? [] : termsOf(path.slice(0, slash)),
  };
}

/** Terms of file names, folders and imports have a letter in front, so that they share the dictionary with the text's. */
export const stemTerm = (term: string): string => `~${term}`;
export const folderTerm = (term: string): string => `/${term}`;

export const importTerm = (name: string): string => `^${wholeTerm(splitIdentifier(name))}`;

const EXTENSION = /\.(?:[hc](?:h|c|pp|xx)?|[mc]?[jt]sx?|inl|vue|svelte|json|rb|sh|bash|zig|proto|dart|lua|php|py)$/;

/** The name that an import ends in: `./lib/Foo.ts`, `lib.Foo` and `lib::Foo` are all of Foo. */
export function importedName(text: string): string | undefined {
  const path = text.replace(EXTENSION, '');
  const parts = path.split(path.includes('/') ? '/' : /[.\\:]+/);
  return parts.findLast((part) => /[\p{L}\p{N}]/u.test(part));
}

function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const word of text.split(/[^\p{L}\p{N}_$]+/u)) for (const term of wordTerms(word)) terms.add(term);
  return [...terms];
}
