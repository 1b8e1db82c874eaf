import { isChinese } from '../text/is-chinese.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm, wordTerms } from '../text/word-terms.ts';
import type { Candidate } from './score-board.ts';
import { definitionFacts, factsOf } from './file-facts.ts';
import type { PathTraits } from './path-traits.ts';
import type { Question, QuestionTerm } from './question.ts';
import { type RankReasonName, REASON_TITLES, sumByReason } from './rank-reasons.ts';
import type { TreeAttribution } from './tree-attribution.ts';

/** One thing that spoke for a file, or against it. */
export interface RankReason {
  reason: RankReasonName;
  /** The reason in words. */
  title: string;
  /** What it is here, such as the words that were found. */
  detail?: string;
  /** Its share of all that is told of the file; below zero where it speaks against it. Without their signs they add up to 1. */
  weight: number;
}

const MOST_REASONS = 6;
/** What moves a score by less than this part of the strongest reason is not worth a line. */
const LEAST_SHARE = 0.01;
const MOST_NAMES = 3;
const MOST_DEFINITIONS = 2_000;

/** Why a file ranks where it does among those that may answer the question: the strongest reasons first. */
export function explainRank(
  candidate: Candidate,
  question: Question,
  row: Float32Array,
  attribution: TreeAttribution,
): RankReason[] {
  const sums = [...sumByReason(attribution.contributions(row))]
    .map(([reason, sum]) => ({ reason, sum, size: Math.abs(sum) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, MOST_REASONS);
  const told = sums.filter(({ size }) => size > LEAST_SHARE * sums[0]!.size);
  const all = told.reduce((total, { size }) => total + size, 0);
  return told.map(({ reason, sum }) => {
    const detail = DETAILS[reason](candidate, question);
    return { reason, title: REASON_TITLES[reason], ...(detail !== '' && { detail }), weight: sum / all };
  });
}

const DETAILS: Record<RankReasonName, (candidate: Candidate, question: Question) => string> = {
  'words-in-text': ({ mask }, question) => foundTerms(question, mask, ['word']),
  'words-in-path': ({ stemMask, folderMask }, question) => foundTerms(question, stemMask | folderMask, ['word']),
  'names-defined': (candidate, question) => definedNames(candidate, question).join(', '),
  'symbol-defined': (candidate, question) => definedSymbols(candidate, question).join(', '),
  'whole-phrase': ({ mask }, question) => foundTerms(question, mask, ['whole', 'pair']),
  'used-by-others': (candidate) => {
    const { imports, mentions } = factsOf(candidate.segment, candidate.file);
    return [counted(imports, 'file imports it', 'files import it'), counted(mentions, 'names it', 'name it')]
      .filter((part) => part !== '')
      .join(', ');
  },
  'files-around': ({ segment, file }) => factsOf(segment, file).folder,
  'kind-of-file': ({ segment, file }) => {
    const { traits } = factsOf(segment, file);
    return KINDS.flatMap(([trait, name]) => (traits[trait] === true ? [name] : [])).join(', ');
  },
  meaning: ({ meaning, segment: { reader } }) => {
    if (meaning === undefined) return '';
    const start = reader.section('chunkStart')[meaning.bestChunk] ?? 1;
    return `nearest at line ${start}, ${Math.round(100 * meaning.best)} of 100`;
  },
  'size-and-depth': ({ segment: { reader }, file }) => counted(reader.section('fileLines')[file] ?? 0, 'line', 'lines'),
};

const KINDS: readonly [trait: keyof PathTraits, name: string][] = [
  ['isTest', 'test'],
  ['isExample', 'example'],
  ['isDocument', 'document'],
  ['isBenchmark', 'benchmark'],
  ['isForeign', 'from elsewhere'],
  ['isGenerated', 'generated'],
  ['isHeader', 'header'],
  ['isTypesOnly', 'types only'],
  ['isEntry', 'entry'],
  ['isInternal', 'internal'],
  ['isLegacy', 'legacy'],
  ['isScript', 'script'],
  ['isContract', 'contract'],
  ['isPlatform', 'for one platform'],
  ['isCode', 'code'],
];

/** The question's terms that a mask has, as they were asked where that is known. */
function foundTerms(question: Question, mask: number, kinds: readonly QuestionTerm['kind'][]): string {
  const found = question.terms.flatMap(({ term, kind }, index) =>
    kinds.includes(kind) && index < 30 && ((mask >>> index) & 1) === 1 ? [asAsked(term, question)] : [],
  );
  // Chinese is looked for by single characters, too; they say nothing beside the words they are in.
  return [...new Set(found)]
    .filter((word) => !isChinese(word) || !found.some((other) => other !== word && other.includes(word)))
    .join(', ');
}

/** Words are looked for by their roots; a person knows the word. */
function asAsked(term: string, { words, symbols }: Question): string {
  if (isChinese(term)) return term;
  const parts = symbols.flatMap(({ name }) => splitIdentifier(name).map((part) => part.toLowerCase()));
  return [...words, ...parts].find((word) => wordTerms(word).includes(term)) ?? term.replace(/^=/, '');
}

/** The definitions whose names have most of the question's words. */
function definedNames({ segment, file }: Candidate, question: Question): string[] {
  const asked = new Set(question.terms.flatMap(({ term, kind }) => (kind === 'word' ? [term] : [])));
  const [first, end] = segment.reader.definitionsOf(file);
  const fits = new Map<string, number>();
  for (let index = first; index < Math.min(end, first + MOST_DEFINITIONS); index++) {
    const { name, words } = definitionFacts(segment, index);
    const found = words.filter((word) => asked.has(word)).length;
    if (found > 0) fits.set(name, (found * found) / words.length);
  }
  return [...fits]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}

function definedSymbols({ segment, file }: Candidate, question: Question): string[] {
  const asked = new Set(question.symbols.map(({ name }) => wholeTerm(splitIdentifier(name))));
  if (asked.size === 0) return [];
  const [first, end] = segment.reader.definitionsOf(file);
  const names = new Set<string>();
  for (let index = first; index < Math.min(end, first + MOST_DEFINITIONS) && names.size < MOST_NAMES; index++) {
    const { name } = definitionFacts(segment, index);
    if (asked.has(wholeTerm(splitIdentifier(name)))) names.add(name);
  }
  return [...names];
}

function counted(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
