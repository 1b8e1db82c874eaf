import type { Definition, DefinitionKind } from '../definitions/definition.ts';
import { pathTerms } from '../segment/path-terms.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { termHash } from '../text/term-hash.ts';
import { wholeTerm, wordTerms } from '../text/word-terms.ts';
import { bitCount, type Candidate, type Collected, maskWeight } from './candidates.ts';
import type { LiveSegment } from './live-segment.ts';
import { pathTraits } from './path-traits.ts';
import type { Question } from './question.ts';

/** What the ranker sees of a file, in this order. The fitted weights know them by these names. */
export const FEATURES = [
  'best',
  'bestShare',
  'second',
  'third',
  'fileScore',
  'fileShare',
  'bestRank',
  'fileRank',
  'coverage',
  'bestCoverage',
  'stemCoverage',
  'stemPrecision',
  'stemExact',
  'stemPair',
  'folderCoverage',
  'lastFolder',
  'pathCoverage',
  'memberCoverage',
  'typeCoverage',
  'definitionCoverage',
  'bestDefinition',
  'bestDefinitionIsType',
  'bestDefinitionIsOutermost',
  'definitionsMatched',
  'wholeMatched',
  'symbolDefined',
  'symbolIsType',
  'symbolIsOutermost',
  'symbolLines',
  'symbolInContainer',
  'symbolIsStem',
  'symbolCount',
  'symbolFirst',
  'matchedChunks',
  'matchedShare',
  'firstChunk',
  'popularity',
  'isTest',
  'isExample',
  'isDocument',
  'isBenchmark',
  'isForeign',
  'isGenerated',
  'isCode',
  'isHeader',
  'isTypesOnly',
  'isEntry',
  'isInternal',
  'isLegacy',
  'isScript',
  'depth',
  'lines',
  'definitions',
  'languageShare',
  'questionTerms',
  'questionIsSymbol',
  'questionHasSymbol',
  'siblingStem',
  'headCoverage',
  'widestCoverage',
  'synonymCoverage',
  'stemRarity',
  'firstInStem',
  'firstInDefinition',
  'tailPrecision',
  'stemIsGeneric',
  'stemLikeness',
  'bestQualified',
  'definitionsWithTwo',
  'definitionSum',
] as const;
export type FeatureName = (typeof FEATURES)[number];
type Features = Record<FeatureName, number>;

/** Of every candidate, what tells good ones from others. Numbers are relative to the question, so that questions compare. */
export function fileFeatures(question: Question, collected: Collected): Float32Array[] {
  const comparison = compare(question, collected);
  return collected.candidates.map((candidate) => {
    const features = describe(candidate, question, collected, comparison);
    return Float32Array.from(FEATURES, (name) => features[name]);
  });
}

interface Comparison {
  /** The weight of all words, and of all terms. */
  wordWeight: number;
  words: number;
  /** Bits of the terms of each kind. */
  wordMask: number;
  pairMask: number;
  wholeMask: number;
  bestScore: number;
  bestFileScore: number;
  bestRank: Map<Candidate, number>;
  fileRank: Map<Candidate, number>;
  languageShare: Map<string, number>;
  termIndex: Map<string, number>;
  symbolNames: Set<string>;
  stems: Map<string, number>;
}

function compare(question: Question, { candidates, weights }: Collected): Comparison {
  const maskOf = (kind: string) =>
    question.terms.reduce((mask, term, index) => mask | (term.kind === kind ? 1 << index : 0), 0);
  const wordMask = maskOf('word');
  const ranks = (value: (candidate: Candidate) => number) =>
    new Map(
      candidates.toSorted((one, other) => value(other) - value(one)).map((candidate, rank) => [candidate, rank + 1]),
    );
  const bestOf = (candidate: Candidate) => candidate.chunks[0]?.score ?? 0;
  const stems = new Map<string, number>();
  const extensions = new Map<string, number>();
  for (const candidate of candidates) {
    const { stem, extension, isTest } = traitsOf(candidate);
    if (!isTest) stems.set(stem, (stems.get(stem) ?? 0) + 1);
    extensions.set(extension, (extensions.get(extension) ?? 0) + 1 / candidates.length);
  }
  return {
    wordWeight: Math.max(1e-9, maskWeight(wordMask, weights)),
    words: bitCount(wordMask),
    wordMask,
    pairMask: maskOf('pair'),
    wholeMask: maskOf('whole'),
    bestScore: Math.max(1e-9, ...candidates.map(bestOf)),
    bestFileScore: Math.max(1e-9, ...candidates.map(({ fileScore }) => fileScore)),
    bestRank: ranks(bestOf),
    fileRank: ranks(({ fileScore }) => fileScore),
    languageShare: extensions,
    termIndex: new Map(question.terms.filter(({ kind }) => kind !== 'synonym').map(({ term, as }) => [term, as])),
    symbolNames: new Set(question.symbols.map(({ name }) => wholeTerm(splitIdentifier(name)))),
    stems,
  };
}

function describe(
  candidate: Candidate,
  question: Question,
  { weights, stemWeights }: Collected,
  comparison: Comparison,
): Features {
  const { segment, file, chunks } = candidate;
  const { reader } = segment;
  const { wordWeight, wordMask, pairMask, wholeMask } = comparison;
  const traits = traitsOf(candidate);
  const inPath = pathTerms(reader.path(file));
  const [firstChunk, endChunk] = reader.chunksOf(file);
  const [firstDefinition, endDefinition] = reader.definitionsOf(file);
  const covered = (mask: number) => maskWeight(mask & wordMask, weights) / wordWeight;
  const best = chunks[0];
  const stemWords = inPath.stem.filter((term) => !term.startsWith('='));
  const stemHits = stemWords.filter((term) => comparison.termIndex.has(term)).length;
  const stemWhole = wholeTerm(splitIdentifier(traits.stem.replaceAll(/[^\p{L}\p{N}_$]+/gu, '_')));
  const lastFolder = wordsOfLastFolder(reader.path(file)).filter((term) => comparison.termIndex.has(term)).length;
  const matched = matchDefinitions(candidate, question, weights, comparison);
  const flag = (value: boolean) => (value ? 1 : 0);

  return {
    best: (best?.score ?? 0) / wordWeight,
    bestShare: (best?.score ?? 0) / comparison.bestScore,
    second: (chunks[1]?.score ?? 0) / wordWeight,
    third: (chunks[2]?.score ?? 0) / wordWeight,
    fileScore: candidate.fileScore / wordWeight,
    fileShare: candidate.fileScore / comparison.bestFileScore,
    bestRank: 1 / Math.sqrt(comparison.bestRank.get(candidate)!),
    fileRank: 1 / Math.sqrt(comparison.fileRank.get(candidate)!),
    coverage: covered(candidate.mask),
    bestCoverage: covered(best?.mask ?? 0),
    stemCoverage: covered(candidate.stemMask),
    stemPrecision: stemHits / Math.max(1, stemWords.length),
    stemExact: flag(comparison.symbolNames.has(stemWhole) || comparison.termIndex.has(stemWhole)),
    stemPair: flag((candidate.stemMask & pairMask) !== 0),
    folderCoverage: covered(candidate.folderMask),
    lastFolder,
    pathCoverage: covered(candidate.stemMask | candidate.folderMask),
    memberCoverage: covered(candidate.memberMask),
    typeCoverage: covered(candidate.typeMask),
    definitionCoverage: covered(candidate.memberMask | candidate.typeMask),
    ...matched,
    wholeMatched: bitCount(candidate.mask & (wholeMask | pairMask)),
    matchedChunks: Math.log1p(candidate.matchedChunks),
    matchedShare: candidate.matchedChunks / Math.max(1, endChunk - firstChunk),
    firstChunk: flag(best?.chunk === firstChunk),
    popularity: Math.log1p(segmentBytes(segment, stemWhole) / 8),
    isTest: flag(traits.isTest),
    isExample: flag(traits.isExample),
    isDocument: flag(traits.isDocument),
    isBenchmark: flag(traits.isBenchmark),
    isForeign: flag(traits.isForeign),
    isGenerated: flag(traits.isGenerated),
    isCode: flag(traits.isCode),
    isHeader: flag(traits.isHeader),
    isTypesOnly: flag(traits.isTypesOnly),
    isEntry: flag(traits.isEntry),
    isInternal: flag(traits.isInternal),
    isLegacy: flag(traits.isLegacy),
    isScript: flag(traits.isScript),
    depth: traits.depth,
    lines: Math.log1p(reader.section('fileLines')[file]!),
    definitions: Math.log1p(endDefinition - firstDefinition),
    languageShare: comparison.languageShare.get(traits.extension) ?? 0,
    questionTerms: comparison.words,
    questionIsSymbol: flag(question.isSymbol),
    questionHasSymbol: flag(question.symbols.length > 0),
    siblingStem: Math.log1p((comparison.stems.get(traits.stem) ?? 1) - 1),
    headCoverage: covered(candidate.headMask),
    widestCoverage: covered(candidate.widestMask),
    synonymCoverage: covered(candidate.mask | candidate.synonymMask),
    stemRarity: rarestOf(candidate.stemMask & wordMask, weights, stemWeights),
    firstInStem: 1 / (1 + firstBit(candidate.stemMask & wordMask)),
    firstInDefinition: 1 / (1 + firstBit((candidate.memberMask | candidate.typeMask) & wordMask)),
    tailPrecision: tailPrecision(reader.path(file), stemWords, comparison.termIndex),
    stemIsGeneric: flag(GENERIC_STEMS.has(traits.stem.toLowerCase())),
    stemLikeness: likeness(stemWords, question),
  };
}

type DefinitionFeatures = Pick<
  Features,
  | 'bestDefinition'
  | 'bestDefinitionIsType'
  | 'bestDefinitionIsOutermost'
  | 'definitionsMatched'
  | 'symbolDefined'
  | 'symbolIsType'
  | 'symbolIsOutermost'
  | 'symbolLines'
  | 'symbolInContainer'
  | 'symbolIsStem'
  | 'symbolCount'
  | 'symbolFirst'
  | 'bestQualified'
  | 'definitionsWithTwo'
  | 'definitionSum'
>;

const TYPE_KINDS: ReadonlySet<DefinitionKind> = new Set(['class', 'interface', 'enum', 'type', 'module']);
/** A file with very many definitions is not read to its end. */
const MOST_DEFINITIONS = 200;

function matchDefinitions(
  candidate: Candidate,
  question: Question,
  weights: Float64Array,
  comparison: Comparison,
): DefinitionFeatures {
  const { reader } = candidate.segment;
  const features: DefinitionFeatures = {
    bestDefinition: 0,
    bestDefinitionIsType: 0,
    bestDefinitionIsOutermost: 0,
    definitionsMatched: 0,
    symbolDefined: 0,
    symbolIsType: 0,
    symbolIsOutermost: 0,
    symbolLines: 0,
    symbolInContainer: 0,
    symbolIsStem: 0,
    symbolCount: 0,
    symbolFirst: 0,
    bestQualified: 0,
    definitionsWithTwo: 0,
    definitionSum: 0,
  };
  const lines = reader.section('definitionLine');
  const [first, end] = reader.definitionsOf(candidate.file);
  const containers = new Set(
    question.symbols.map(({ container }) => container?.toLowerCase()).filter((name) => name !== undefined),
  );
  const { stem } = traitsOf(candidate);
  let read = 0;
  for (const chunk of candidate.definingChunks) {
    const from = reader.section('chunkStart')[chunk]!;
    const to = reader.section('chunkEnd')[chunk]!;
    for (let index = lowerBound(lines, first, end, from); index < end && lines[index]! <= to; index++) {
      if (++read > MOST_DEFINITIONS) return features;
      const definition = reader.definition(index);
      const terms = wordTerms(definition.name);
      let words = 0;
      let hits = 0;
      let weight = 0;
      for (const term of terms) {
        if (term.startsWith('=')) continue;
        words++;
        const at = comparison.termIndex.get(term);
        if (at === undefined) continue;
        hits++;
        weight += weights[at]!;
      }
      if (hits === 0) continue;
      features.definitionsMatched++;
      if (hits > 1) features.definitionsWithTwo++;
      const isType = TYPE_KINDS.has(definition.kind);
      const match = (weight / comparison.wordWeight) * (hits / words);
      features.definitionSum += match;
      features.bestQualified = Math.max(features.bestQualified, match, qualifiedMatch(definition, comparison, weights));
      if (
        match > features.bestDefinition ||
        (match === features.bestDefinition && isType && features.bestDefinitionIsType === 0)
      ) {
        features.bestDefinition = match;
        features.bestDefinitionIsType = isType ? 1 : 0;
        features.bestDefinitionIsOutermost = definition.container === undefined ? 1 : 0;
      }
      if (!comparison.symbolNames.has(wholeTerm(splitIdentifier(definition.name)))) continue;
      features.symbolCount++;
      const isExact = question.symbols.some(({ name }) => name === definition.name);
      features.symbolDefined = Math.max(features.symbolDefined, isExact ? 1 : 0.6);
      if (isType) features.symbolIsType = 1;
      if (definition.container === undefined) features.symbolIsOutermost = 1;
      if (definition.container !== undefined && containers.has(definition.container.toLowerCase()))
        features.symbolInContainer = 1;
      features.symbolLines = Math.max(features.symbolLines, Math.log1p(definition.endLine - definition.line));
      if (stem.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') === definition.name.toLowerCase().replaceAll('_', ''))
        features.symbolIsStem = 1;
      if (index === first) features.symbolFirst = 1;
    }
  }
  features.definitionsMatched = Math.log1p(features.definitionsMatched);
  features.symbolCount = Math.log1p(features.symbolCount);
  features.definitionsWithTwo = Math.log1p(features.definitionsWithTwo);
  features.definitionSum = Math.log1p(features.definitionSum);
  return features;
}

/** How well a name and the name around it together fit the question. */
function qualifiedMatch({ name, container }: Definition, comparison: Comparison, weights: Float64Array): number {
  if (container === undefined) return 0;
  const terms = new Set([...wordTerms(container), ...wordTerms(name)].filter((term) => !term.startsWith('=')));
  let hits = 0;
  let weight = 0;
  for (const term of terms) {
    const at = comparison.termIndex.get(term);
    if (at === undefined) continue;
    hits++;
    weight += weights[at]!;
  }
  return (weight / comparison.wordWeight) * (hits / terms.size);
}

/** Names that say nothing of what is in the file; the folder says it. */
const GENERIC_STEMS: ReadonlySet<string> = new Set(
  `index mod __init__ init lib main util utils helper helpers common base core types type models model constants consts misc
  impl internal shared api interface interfaces defs config`.split(/\s+/),
);

/** How many words of the file's name are the question's; the folder speaks for a name that says nothing. */
function tailPrecision(path: string, stemWords: readonly string[], termIndex: ReadonlyMap<string, number>): number {
  const folder = wordsOfLastFolder(path);
  const stem = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.\w+$/, '')
    .toLowerCase();
  const words = GENERIC_STEMS.has(stem) ? folder : [...stemWords, ...folder];
  return words.filter((term) => termIndex.has(term)).length / Math.max(1, words.length);
}

/** The rarest word that the file's name shares with the question. */
function rarestOf(mask: number, weights: Float64Array, stemWeights: Float64Array): number {
  let rarest = 0;
  for (let index = 0; index < 30; index++)
    if ((mask & (1 << index)) !== 0) rarest = Math.max(rarest, Math.min(weights[index]! * 1.5, stemWeights[index]!));
  return rarest;
}

function firstBit(mask: number): number {
  return mask === 0 ? 30 : 31 - Math.clz32(mask & -mask);
}

/** How far the file's name begins like words of the question: `lock` for lockfile, `auth` for authority. */
function likeness(stemWords: readonly string[], question: Question): number {
  let best = 0;
  for (const { term, kind } of question.terms) {
    if (kind !== 'word' || term.length < 4) continue;
    for (const word of stemWords) {
      if (word.length < 3 || word === term) continue;
      let same = 0;
      while (same < word.length && word.charCodeAt(same) === term.charCodeAt(same)) same++;
      if (same >= 3) best = Math.max(best, (2 * same) / (word.length + term.length));
    }
  }
  return best;
}

const traits = new WeakMap<Candidate, ReturnType<typeof pathTraits>>();
function traitsOf(candidate: Candidate): ReturnType<typeof pathTraits> {
  let known = traits.get(candidate);
  if (known === undefined) {
    known = pathTraits(candidate.segment.reader.path(candidate.file));
    traits.set(candidate, known);
  }
  return known;
}

function wordsOfLastFolder(path: string): string[] {
  const folders = path.split('/');
  return pathTerms(folders.at(-2) ?? '').stem.filter((term) => !term.startsWith('='));
}

/** How much the text speaks of a name, measured by the room its postings take. */
function segmentBytes(segment: LiveSegment, term: string): number {
  return segment.reader.postingBytes(termHash(term));
}

function lowerBound(sorted: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
