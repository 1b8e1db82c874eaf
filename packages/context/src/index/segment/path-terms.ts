import { wordTerms } from '../text/word-terms.ts';

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

/** Terms of file names and of folders have a letter in front, so that they share the dictionary with the text's. */
export const stemTerm = (term: string): string => `~${term}`;
export const folderTerm = (term: string): string => `/${term}`;

function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const word of text.split(/[^\p{L}\p{N}_$]+/u)) for (const term of wordTerms(word)) terms.add(term);
  return [...terms];
}
