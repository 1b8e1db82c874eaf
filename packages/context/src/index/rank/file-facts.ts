import { importTerm, pathTerms } from '../segment/path-terms.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { termHash } from '../text/term-hash.ts';
import { wholeTerm, wordTerms } from '../text/word-terms.ts';
import { liveFileCount, type LiveSegment } from './live-segment.ts';
import { GENERIC_STEMS, type PathTraits, pathTraits } from './path-traits.ts';

/** What there is to know of a file before anything is asked. */
export interface FileFacts {
  path: string;
  folder: string;
  traits: PathTraits;
  /** Roots of the words in its name, and in the name of its folder. */
  stemWords: string[];
  folderWords: string[];
  /** Of all folders around it. */
  pathWords: string[];
  /** Its name as one term, and in plain letters. */
  stemWhole: string;
  letters: string;
  /** The name it is tested under: `foo` for foo.test.ts, test_foo.py, FooTest.java. */
  subject: string;
  /** How many of the view's files mention its name, import it, import its folder. */
  mentions: number;
  imports: number;
  folderImports: number;
}

/** Facts are kept while the view is; beyond this many files those of all are forgotten. */
const MOST_FACTS = 20_000;

export function factsOf(segment: LiveSegment, file: number): FileFacts {
  const known = segment.facts.get(file);
  if (known !== undefined) return known;
  if (segment.facts.size >= MOST_FACTS) segment.facts.clear();
  const facts = readFacts(segment, file);
  segment.facts.set(file, facts);
  return facts;
}

function readFacts(segment: LiveSegment, file: number): FileFacts {
  const path = segment.reader.path(file);
  const traits = pathTraits(path);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const lastFolder = folder.slice(folder.lastIndexOf('/') + 1);
  const parts = splitIdentifier(traits.stem.replaceAll(/[^\p{L}\p{N}_$]+/gu, '_'));
  const stemWhole = wholeTerm(parts);
  const imported = GENERIC_STEMS.has(traits.stem.toLowerCase()) && lastFolder !== '' ? lastFolder : traits.stem;
  const terms = pathTerms(path);
  return {
    path,
    folder,
    traits,
    stemWords: wordsIn(terms.stem),
    pathWords: wordsIn(terms.folders),
    folderWords: wordsIn(pathTerms(lastFolder).stem),
    stemWhole,
    letters: parts.join('').toLowerCase(),
    subject: parts
      .join('')
      .toLowerCase()
      .replace(/^(?:tests?|specs?)|(?:tests?|specs?|unittest|testcase)$/, ''),
    mentions: parts.length > 1 ? liveFileCount(segment, termHash(stemWhole)) : 0,
    imports: liveFileCount(segment, termHash(importTerm(imported))),
    folderImports: lastFolder === '' ? 0 : liveFileCount(segment, termHash(importTerm(lastFolder))),
  };
}

/** A definition's names, read once. */
export interface DefinitionFacts {
  name: string;
  /** '' for none. */
  container: string;
  words: string[];
  /** With those of the container. */
  qualified: string[];
}

const MOST_DEFINITIONS = 200_000;

export function definitionFacts({ reader, definitions }: LiveSegment, index: number): DefinitionFacts {
  const known = definitions.get(index);
  if (known !== undefined) return known;
  if (definitions.size >= MOST_DEFINITIONS) definitions.clear();
  const name = reader.definitionName(index);
  const container = reader.definitionContainer(index);
  const words = wordsIn(wordTerms(name));
  const qualified = container === '' ? words : [...new Set([...wordsIn(wordTerms(container)), ...words])];
  const facts = { name, container, words, qualified };
  definitions.set(index, facts);
  return facts;
}

function wordsIn(terms: readonly string[]): string[] {
  return terms.filter((term) => !term.startsWith('='));
}
