import { DEFINITION_KINDS } from '../segment/definition-kinds.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm } from '../text/word-terms.ts';
import type { Candidate, Collected } from './candidates.ts';
import { definitionFacts, factsOf } from './file-facts.ts';
import { bitCount, type MaskWeight, maskWeights } from './mask-weights.ts';
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
  'mentions',
  'imports',
  'folderImports',
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
  'stemRarity',
  'firstInStem',
  'firstInDefinition',
  'tailPrecision',
  'stemIsGeneric',
  'stemLikeness',
  'bestQualified',
  'definitionsWithTwo',
  'definitionSum',
  'promise',
  'promiseRank',
  'focus',
  'focusRatio',
  'definedCoverage',
  'coverageRatio',
  'stemRatio',
  'stemRank',
  'definitionRatio',
  'definitionRank',
  'definitionShare',
  'scopeInStem',
  'scopeInFolder',
  'questionHasScope',
  'testScore',
  'folderMass',
  'folderRank',
  'stemLetters',
  'acronym',
  'isOlder',
  'isContract',
  'isPlatform',
  'wantedTest',
  'questionIsAsking',
  'questionIsChange',
  'nameCoverage',
  'rarestCoverage',
  'viewFiles',
] as const;
export type FeatureName = (typeof FEATURES)[number];

/** Where each feature stands in a row. */
const AT = Object.fromEntries(FEATURES.map((name, index) => [name, index])) as Record<FeatureName, number>;

/** Of every candidate, what tells good ones from others. Numbers are relative to the question, so that questions compare. */
export function fileFeatures(question: Question, collected: Collected): Float32Array[] {
  const { candidates } = collected;
  const comparison = compare(question, collected);
  const rows = candidates.map((candidate) => {
    const row = new Float32Array(FEATURES.length);
    describeFile(row, candidate, question, collected, comparison);
    describeDefinitions(row, candidate, question, collected.weights, comparison);
    return row;
  });
  addRatios(rows);
  addNeighbours(rows, candidates);
  return rows;
}

/** What is the same for all files that are compared. */
interface Comparison {
  /** The weight of all words together. */
  wordWeight: number;
  words: number;
  weigh: MaskWeight;
  /** The same of what would be one name, and the two words that say most. */
  weighNames: MaskWeight;
  nameWeight: number;
  rarestMask: number;
  rarestWeight: number;
  /** Bits of the terms of each kind. */
  wordMask: number;
  nameMask: number;
  pairMask: number;
  bestScore: number;
  bestFileScore: number;
  languageShare: Map<string, number>;
  termIndex: Map<string, number>;
  symbolNames: Set<string>;
  containers: Set<string>;
  /** How many files have a name, tests apart. */
  stems: Map<string, number>;
  /** The newest version beside each versioned folder. */
  versions: Map<string, number>;
  /** First letters of neighbouring words. */
  acronyms: Set<string>;
}

function compare(question: Question, { candidates, weights }: Collected): Comparison {
  const maskOf = (kind: string) =>
    question.terms.reduce((mask, term, index) => mask | (term.kind === kind ? 1 << index : 0), 0);
  const wordMask = maskOf('word');
  const pairMask = maskOf('pair');
  const nameMask = maskOf('whole') | pairMask;
  // What no file has says nothing of any.
  const foundMask = candidates.reduce((mask, one) => mask | one.mask | one.stemMask | one.folderMask, 0);
  const weightsOf = (mask: number) => weights.map((weight, index) => (index < 30 && (mask >>> index) & 1 ? weight : 0));
  const weigh = maskWeights(weightsOf(wordMask & foundMask));
  const weighNames = maskWeights(weightsOf(nameMask & foundMask));
  const rarestMask = question.terms
    .flatMap(({ kind }, index) => (kind === 'word' && (foundMask >>> index) & 1 ? [index] : []))
    .sort((one, other) => weights[other]! - weights[one]!)
    .slice(0, 2)
    .reduce((mask, index) => mask | (1 << index), 0);
  const stems = new Map<string, number>();
  const languageShare = new Map<string, number>();
  const versions = new Map<string, number>();
  let bestScore = 1e-9;
  let bestFileScore = 1e-9;
  for (const { segment, file, chunks, fileScore } of candidates) {
    const { stem, extension, isTest, version, versionOf } = factsOf(segment, file).traits;
    if (!isTest) stems.set(stem, (stems.get(stem) ?? 0) + 1);
    if (version >= 0) versions.set(versionOf, Math.max(version, versions.get(versionOf) ?? 0));
    languageShare.set(extension, (languageShare.get(extension) ?? 0) + 1 / candidates.length);
    bestScore = Math.max(bestScore, chunks[0]?.score ?? 0);
    bestFileScore = Math.max(bestFileScore, fileScore);
  }
  return {
    wordWeight: Math.max(1e-9, weigh(wordMask)),
    words: bitCount(wordMask),
    weigh,
    wordMask,
    weighNames,
    nameWeight: Math.max(1e-9, weighNames(nameMask)),
    rarestMask,
    rarestWeight: Math.max(1e-9, weigh(rarestMask)),
    nameMask,
    pairMask,
    bestScore,
    bestFileScore,
    languageShare,
    termIndex: new Map(question.terms.filter(({ kind }) => kind !== 'synonym').map(({ term, as }) => [term, as])),
    symbolNames: new Set(question.symbols.map(({ name }) => wholeTerm(splitIdentifier(name)))),
    containers: new Set(question.symbols.flatMap(({ container }) => container?.toLowerCase() ?? [])),
    stems,
    versions,
    acronyms: acronymsOf(question.words),
  };
}

function describeFile(
  row: Float32Array,
  candidate: Candidate,
  question: Question,
  { weights, stemWeights, files }: Collected,
  comparison: Comparison,
): void {
  const { segment, file, chunks } = candidate;
  const { reader } = segment;
  const { wordWeight, wordMask, weigh, nameMask, pairMask, termIndex } = comparison;
  const facts = factsOf(segment, file);
  const { traits, stemWords, folderWords } = facts;
  const [firstChunk, endChunk] = reader.chunksOf(file);
  const [firstDefinition, endDefinition] = reader.definitionsOf(file);
  const covered = (mask: number) => weigh(mask) / wordWeight;
  const best = chunks[0];
  const named = candidate.memberMask | candidate.typeMask;
  const tailWords = traits.isGeneric ? folderWords : [...stemWords, ...folderWords];

  row[AT.best] = (best?.score ?? 0) / wordWeight;
  row[AT.bestShare] = (best?.score ?? 0) / comparison.bestScore;
  row[AT.second] = (chunks[1]?.score ?? 0) / wordWeight;
  row[AT.third] = (chunks[2]?.score ?? 0) / wordWeight;
  row[AT.fileScore] = candidate.fileScore / wordWeight;
  row[AT.fileShare] = candidate.fileScore / comparison.bestFileScore;
  row[AT.coverage] = covered(candidate.mask);
  row[AT.bestCoverage] = covered(best?.mask ?? 0);
  row[AT.stemCoverage] = covered(candidate.stemMask);
  row[AT.stemPrecision] = shareOf(stemWords, termIndex);
  row[AT.stemExact] = flag(comparison.symbolNames.has(facts.stemWhole) || termIndex.has(facts.stemWhole));
  row[AT.stemPair] = flag(((candidate.stemMask | (1 << (termIndex.get(facts.stemWhole) ?? 31))) & pairMask) !== 0);
  row[AT.folderCoverage] = covered(candidate.folderMask);
  row[AT.lastFolder] = hits(folderWords, termIndex);
  row[AT.pathCoverage] = covered(candidate.stemMask | candidate.folderMask);
  row[AT.memberCoverage] = covered(candidate.memberMask);
  row[AT.typeCoverage] = covered(candidate.typeMask);
  row[AT.definitionCoverage] = covered(named);
  row[AT.wholeMatched] = bitCount(candidate.mask & nameMask);
  row[AT.matchedChunks] = Math.log1p(candidate.matchedChunks);
  row[AT.matchedShare] = candidate.matchedChunks / Math.max(1, endChunk - firstChunk);
  row[AT.firstChunk] = flag(best?.chunk === firstChunk);
  row[AT.mentions] = Math.log1p(facts.mentions);
  row[AT.imports] = Math.log1p(facts.imports);
  row[AT.folderImports] = Math.log1p(facts.folderImports);
  row[AT.isTest] = flag(traits.isTest);
  row[AT.isExample] = flag(traits.isExample);
  row[AT.isDocument] = flag(traits.isDocument);
  row[AT.isBenchmark] = flag(traits.isBenchmark);
  row[AT.isForeign] = flag(traits.isForeign);
  row[AT.isGenerated] = flag(traits.isGenerated);
  row[AT.isCode] = flag(traits.isCode);
  row[AT.isHeader] = flag(traits.isHeader);
  row[AT.isTypesOnly] = flag(traits.isTypesOnly);
  row[AT.isEntry] = flag(traits.isEntry);
  row[AT.isInternal] = flag(traits.isInternal);
  row[AT.isLegacy] = flag(traits.isLegacy);
  row[AT.isScript] = flag(traits.isScript);
  row[AT.isContract] = flag(traits.isContract);
  row[AT.isPlatform] = flag(traits.isPlatform);
  row[AT.isOlder] = flag(traits.version >= 0 && traits.version < comparison.versions.get(traits.versionOf)!);
  row[AT.depth] = traits.depth;
  row[AT.lines] = Math.log1p(reader.section('fileLines')[file]!);
  row[AT.definitions] = Math.log1p(endDefinition - firstDefinition);
  row[AT.languageShare] = comparison.languageShare.get(traits.extension) ?? 0;
  row[AT.questionTerms] = comparison.words;
  row[AT.questionIsSymbol] = flag(question.isSymbol);
  row[AT.questionHasSymbol] = flag(question.symbols.length > 0);
  row[AT.questionHasScope] = flag(question.scope.length > 0);
  row[AT.questionIsAsking] = flag(question.isAsking);
  row[AT.questionIsChange] = flag(question.isChange);
  row[AT.nameCoverage] = comparison.weighNames(candidate.mask) / comparison.nameWeight;
  row[AT.rarestCoverage] = weigh(candidate.mask & comparison.rarestMask) / comparison.rarestWeight;
  row[AT.wantedTest] = flag(question.wantsTest && traits.isTest);
  row[AT.viewFiles] = Math.log1p(files);
  row[AT.siblingStem] = Math.log1p((comparison.stems.get(traits.stem) ?? 1) - 1);
  row[AT.headCoverage] = covered(candidate.headMask);
  row[AT.widestCoverage] = covered(candidate.widestMask);
  row[AT.definedCoverage] = covered(candidate.definedMask);
  row[AT.stemRarity] = rarestOf(candidate.stemMask & wordMask, weights, stemWeights);
  row[AT.firstInStem] = 1 / (1 + firstBit(candidate.stemMask & wordMask));
  row[AT.firstInDefinition] = 1 / (1 + firstBit(named & wordMask));
  row[AT.tailPrecision] = shareOf(tailWords, termIndex);
  row[AT.stemIsGeneric] = flag(traits.isGeneric);
  row[AT.stemLikeness] = likeness(stemWords, question);
  row[AT.stemLetters] = lettersCovered(facts.letters, question.words);
  row[AT.acronym] = flag(stemWords.some((word) => comparison.acronyms.has(word)));
  row[AT.scopeInStem] = question.scope.filter((term) => stemWords.includes(term)).length;
  row[AT.scopeInFolder] = flag(question.scope.some((term) => facts.pathWords.includes(term)));
  row[AT.promise] = candidate.promise / wordWeight;
  row[AT.focus] = candidate.focus / wordWeight;
}

const flag = (value: boolean) => (value ? 1 : 0);

/** What is only known once all files are described. */
function addRatios(rows: readonly Float32Array[]): void {
  const ratio = (into: number, of: number) => {
    let most = 1e-9;
    for (const row of rows) most = Math.max(most, row[of]!);
    for (const row of rows) row[into] = row[of]! / most;
  };
  const rank = (into: number, of: number) => {
    const sorted = Float32Array.from(rows, (row) => -row[of]!).sort();
    for (const row of rows) row[into] = 1 / Math.sqrt(1 + lowerBound(sorted, 0, sorted.length, -row[of]!));
  };
  ratio(AT.focusRatio, AT.focus);
  ratio(AT.coverageRatio, AT.coverage);
  ratio(AT.stemRatio, AT.stemCoverage);
  ratio(AT.definitionRatio, AT.bestQualified);
  rank(AT.bestRank, AT.best);
  rank(AT.fileRank, AT.fileScore);
  rank(AT.promiseRank, AT.promise);
  rank(AT.stemRank, AT.stemCoverage);
  rank(AT.definitionRank, AT.bestQualified);
}

/** What files around a file say of it: its folder, and its tests. */
function addNeighbours(rows: readonly Float32Array[], candidates: readonly Candidate[]): void {
  const tests = new Map<string, number>();
  const folders = new Map<string, { mass: number; best: number }>();
  let most = 1e-9;
  for (const [index, { segment, file }] of candidates.entries()) {
    const { traits, subject, folder } = factsOf(segment, file);
    const promise = rows[index]![AT.promise]!;
    if (traits.isTest) {
      tests.set(subject, Math.max(promise, tests.get(subject) ?? 0));
      continue;
    }
    const known = folders.get(folder) ?? { mass: 0, best: 0 };
    known.mass += promise;
    known.best = Math.max(known.best, promise);
    folders.set(folder, known);
    most = Math.max(most, known.mass);
  }
  for (const [index, { segment, file }] of candidates.entries()) {
    const { traits, letters, folder } = factsOf(segment, file);
    const row = rows[index]!;
    if (traits.isTest) continue;
    const { mass, best } = folders.get(folder)!;
    row[AT.testScore] = tests.get(letters) ?? 0;
    row[AT.folderMass] = mass / most;
    row[AT.folderRank] = row[AT.promise]! / Math.max(1e-9, best);
  }
}

const TYPE_KINDS: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'type', 'module']);
const IS_TYPE = DEFINITION_KINDS.map((kind) => TYPE_KINDS.has(kind));
/** A file with very many definitions is not read to its end. */
const MOST_DEFINITIONS = 100;

function describeDefinitions(
  row: Float32Array,
  { segment, file, definingChunks }: Candidate,
  question: Question,
  weights: Float64Array,
  comparison: Comparison,
): void {
  const { reader } = segment;
  const starts = reader.section('definitionLine');
  const ends = reader.section('definitionEnd');
  const kinds = reader.section('definitionKind');
  const chunkStart = reader.section('chunkStart');
  const chunkEnd = reader.section('chunkEnd');
  const lines = Math.max(1, reader.section('fileLines')[file]!);
  const [first, end] = reader.definitionsOf(file);
  const { termIndex, wordWeight } = comparison;
  let matched = 0;
  let withTwo = 0;
  let sum = 0;
  let best = 0;
  let bestQualified = 0;
  let named = 0;
  let read = 0;
  for (const chunk of definingChunks) {
    const to = chunkEnd[chunk]!;
    for (let index = lowerBound(starts, first, end, chunkStart[chunk]!); index < end && starts[index]! <= to; index++) {
      if (++read > MOST_DEFINITIONS) break;
      const { name, container, words, qualified } = definitionFacts(segment, index);
      const match = fit(words, termIndex, weights);
      if (match === 0) continue;
      const worth = match / wordWeight;
      const isType = IS_TYPE[kinds[index]!]!;
      matched++;
      if (words.length > 1 && hits(words, termIndex) > 1) withTwo++;
      sum += worth;
      bestQualified = Math.max(bestQualified, worth);
      if (container !== '') bestQualified = Math.max(bestQualified, fit(qualified, termIndex, weights) / wordWeight);
      if (worth > best || (worth === best && isType && row[AT.bestDefinitionIsType] === 0)) {
        best = worth;
        row[AT.bestDefinitionIsType] = flag(isType);
        row[AT.bestDefinitionIsOutermost] = flag(container === '');
        row[AT.definitionShare] = (ends[index]! - starts[index]! + 1) / lines;
      }
      if (comparison.symbolNames.size === 0 || !comparison.symbolNames.has(wholeTerm(splitIdentifier(name)))) continue;
      named++;
      const isExact = question.symbols.some((symbol) => symbol.name === name);
      row[AT.symbolDefined] = Math.max(row[AT.symbolDefined]!, isExact ? 1 : 0.6);
      if (isType) row[AT.symbolIsType] = 1;
      if (container === '') row[AT.symbolIsOutermost] = 1;
      else if (comparison.containers.has(container.toLowerCase())) row[AT.symbolInContainer] = 1;
      row[AT.symbolLines] = Math.max(row[AT.symbolLines]!, Math.log1p(ends[index]! - starts[index]!));
      if (factsOf(segment, file).letters === splitIdentifier(name).join('').toLowerCase()) row[AT.symbolIsStem] = 1;
      if (index === first) row[AT.symbolFirst] = 1;
    }
  }
  row[AT.bestDefinition] = best;
  row[AT.bestQualified] = bestQualified;
  row[AT.definitionsMatched] = Math.log1p(matched);
  row[AT.definitionsWithTwo] = Math.log1p(withTwo);
  row[AT.definitionSum] = Math.log1p(sum);
  row[AT.symbolCount] = Math.log1p(named);
}

/** The weight of the question's words in a name, less where the name has others too. */
function fit(words: readonly string[], termIndex: ReadonlyMap<string, number>, weights: Float64Array): number {
  let found = 0;
  let weight = 0;
  for (const word of words) {
    const at = termIndex.get(word);
    if (at === undefined) continue;
    found++;
    weight += weights[at]!;
  }
  return found === 0 ? 0 : weight * (found / words.length);
}

function hits(words: readonly string[], termIndex: ReadonlyMap<string, number>): number {
  let found = 0;
  for (const word of words) if (termIndex.has(word)) found++;
  return found;
}

function shareOf(words: readonly string[], termIndex: ReadonlyMap<string, number>): number {
  return hits(words, termIndex) / Math.max(1, words.length);
}

/** Which share of a name's letters the question's words spell: `fsevents` for "file system events". */
function lettersCovered(letters: string, words: readonly string[]): number {
  let covered = 0;
  let rest = letters;
  for (const word of words) {
    const root = word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
    if (root.length < 3 || !rest.includes(root)) continue;
    covered += root.length;
    rest = rest.replace(root, '/');
  }
  return covered / Math.max(1, letters.length);
}

function acronymsOf(words: readonly string[]): Set<string> {
  const acronyms = new Set<string>();
  for (let from = 0; from < words.length; from++)
    for (let length = 2; length <= 4 && from + length <= words.length; length++)
      acronyms.add(
        words
          .slice(from, from + length)
          .map((word) => word.charAt(0))
          .join(''),
      );
  return acronyms;
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

function lowerBound(sorted: Uint32Array | Float32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
