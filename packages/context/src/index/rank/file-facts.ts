import { importTerm, pathTerms } from '../segment/path-terms.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { termHash } from '../text/term-hash.ts';
import { rootTerms, wholeTerm } from '../text/word-terms.ts';
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
const MOST_FACTS = 50_000;

export function factsOf(segment: LiveSegment, file: number): FileFacts {
  const known = segment.facts.get(file);
  if (known !== undefined) return known;
  if (segment.facts.size >= MOST_FACTS) segment.facts.clear();
  const facts = readFacts(segment, file);
  segment.facts.set(file, facts);
  return facts;
}

/**
 * Reads facts that no question has asked for yet, for so long, and says whether some are left: done while nobody asks, so
 * that no question waits for the files it is the first to find.
 */
export function readFactsAhead(segments: readonly LiveSegment[], forMs: number): boolean {
  const until = performance.now() + forMs;
  for (const segment of segments) {
    const { isLive, facts } = segment;
    for (; segment.factsRead < isLive.length; segment.factsRead++) {
      if (facts.size >= MOST_FACTS) return false;
      if (isLive[segment.factsRead] === 1) factsOf(segment, segment.factsRead);
      if (performance.now() > until) return true;
    }
  }
  return false;
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

/** A definition's names and the roots of their words, each read once, when it is asked for. */
export class DefinitionFacts {
  readonly name: string;
  readonly #reader: SegmentReader;
  readonly #index: number;
  #container: string | undefined;
  #words: readonly string[] | undefined;
  #qualified: readonly string[] | undefined;

  constructor(reader: SegmentReader, index: number) {
    this.name = reader.definitionName(index);
    this.#reader = reader;
    this.#index = index;
  }

  /** '' for none. */
  get container(): string {
    return (this.#container ??= this.#reader.definitionContainer(this.#index));
  }

  get words(): readonly string[] {
    return (this.#words ??= rootTerms(this.name));
  }

  /** With those of the container. */
  get qualified(): readonly string[] {
    return (this.#qualified ??=
      this.container === '' ? this.words : [...new Set([...rootTerms(this.container), ...this.words])]);
  }
}

const MOST_DEFINITIONS = 200_000;

export function definitionFacts({ reader, definitions }: LiveSegment, index: number): DefinitionFacts {
  const known = definitions.get(index);
  if (known !== undefined) return known;
  if (definitions.size >= MOST_DEFINITIONS) definitions.clear();
  const facts = new DefinitionFacts(reader, index);
  definitions.set(index, facts);
  return facts;
}

function wordsIn(terms: readonly string[]): string[] {
  return terms.filter((term) => !term.startsWith('='));
}
