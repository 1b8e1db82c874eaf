import { type Comparison, compareCandidates } from './compare-candidates.ts';
import type { Candidate } from './score-board.ts';
import type { Collected } from './candidates.ts';
import { describeDefinitions, describeNames } from './definition-features.ts';
import { AT, FEATURES } from './feature-names.ts';
import { factsOf } from './file-facts.ts';
import { lowerBound } from './lower-bound.ts';
import { bitCount } from './mask-weights.ts';
import type { Question } from './question.ts';
import { termHits } from './term-hits.ts';

/**
 * Of every candidate, what tells good ones from others. Numbers are relative to the question, so that questions compare.
 * `likeness` says how near a name is to the question by meaning.
 */
export function fileFeatures(
  question: Question,
  collected: Collected,
  likeness?: (name: string) => number,
): Float32Array[] {
  const { candidates } = collected;
  const comparison = compareCandidates(question, collected);
  const numbers = new Float32Array(candidates.length * FEATURES.length);
  const rows = candidates.map((candidate, index) => {
    const row = numbers.subarray(index * FEATURES.length, (index + 1) * FEATURES.length);
    describeFile(row, candidate, question, collected, comparison);
    describeDefinitions(row, candidate, question, collected.weights, comparison);
    if (likeness !== undefined) describeNames(row, candidate, likeness);
    return row;
  });
  addRatios(rows);
  addNeighbours(rows, candidates);
  return rows;
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
  row[AT.stemExact] = Number(comparison.symbolNames.has(facts.stemWhole) || termIndex.has(facts.stemWhole));
  row[AT.stemPair] = Number(((candidate.stemMask | (1 << (termIndex.get(facts.stemWhole) ?? 31))) & pairMask) !== 0);
  row[AT.folderCoverage] = covered(candidate.folderMask);
  row[AT.lastFolder] = termHits(folderWords, termIndex);
  row[AT.pathCoverage] = covered(candidate.stemMask | candidate.folderMask);
  row[AT.memberCoverage] = covered(candidate.memberMask);
  row[AT.typeCoverage] = covered(candidate.typeMask);
  row[AT.definitionCoverage] = covered(named);
  row[AT.wholeMatched] = bitCount(candidate.mask & nameMask);
  row[AT.matchedChunks] = Math.log1p(candidate.matchedChunks);
  row[AT.matchedShare] = candidate.matchedChunks / Math.max(1, endChunk - firstChunk);
  row[AT.firstChunk] = Number(best?.chunk === firstChunk);
  row[AT.mentions] = Math.log1p(facts.mentions);
  row[AT.imports] = Math.log1p(facts.imports);
  row[AT.folderImports] = Math.log1p(facts.folderImports);
  row[AT.isTest] = Number(traits.isTest);
  row[AT.isExample] = Number(traits.isExample);
  row[AT.isDocument] = Number(traits.isDocument);
  row[AT.isBenchmark] = Number(traits.isBenchmark);
  row[AT.isForeign] = Number(traits.isForeign);
  row[AT.isGenerated] = Number(traits.isGenerated);
  row[AT.isCode] = Number(traits.isCode);
  row[AT.isHeader] = Number(traits.isHeader);
  row[AT.isTypesOnly] = Number(traits.isTypesOnly);
  row[AT.isEntry] = Number(traits.isEntry);
  row[AT.isInternal] = Number(traits.isInternal);
  row[AT.isLegacy] = Number(traits.isLegacy);
  row[AT.isScript] = Number(traits.isScript);
  row[AT.isContract] = Number(traits.isContract);
  row[AT.isPlatform] = Number(traits.isPlatform);
  row[AT.isOlder] = Number(traits.version >= 0 && traits.version < comparison.versions.get(traits.versionOf)!);
  row[AT.depth] = traits.depth;
  row[AT.lines] = Math.log1p(reader.section('fileLines')[file]!);
  row[AT.definitions] = Math.log1p(endDefinition - firstDefinition);
  row[AT.languageShare] = comparison.languageShare.get(traits.extension) ?? 0;
  row[AT.questionTerms] = comparison.words;
  row[AT.questionIsSymbol] = Number(question.isSymbol);
  row[AT.questionHasSymbol] = Number(question.symbols.length > 0);
  row[AT.questionHasScope] = Number(question.scope.length > 0);
  row[AT.questionIsAsking] = Number(question.isAsking);
  row[AT.questionIsChange] = Number(question.isChange);
  row[AT.nameCoverage] = comparison.weighNames(candidate.mask) / comparison.nameWeight;
  row[AT.rarestCoverage] = weigh(candidate.mask & comparison.rarestMask) / comparison.rarestWeight;
  row[AT.wantedTest] = Number(question.wantsTest && traits.isTest);
  row[AT.viewFiles] = Math.log1p(files);
  row[AT.siblingStem] = Math.log1p((comparison.stems.get(traits.stem) ?? 1) - 1);
  row[AT.headCoverage] = covered(candidate.headMask);
  row[AT.widestCoverage] = covered(candidate.widestMask);
  row[AT.definedCoverage] = covered(candidate.definedMask);
  row[AT.stemRarity] = rarestOf(candidate.stemMask & wordMask, weights, stemWeights);
  row[AT.firstInStem] = 1 / (1 + firstBit(candidate.stemMask & wordMask));
  row[AT.firstInDefinition] = 1 / (1 + firstBit(named & wordMask));
  row[AT.tailPrecision] = shareOf(tailWords, termIndex);
  row[AT.stemIsGeneric] = Number(traits.isGeneric);
  row[AT.stemLikeness] = likeness(stemWords, question);
  row[AT.stemLetters] = lettersCovered(facts.letters, question.words);
  row[AT.acronym] = Number(stemWords.some((word) => comparison.acronyms.has(word)));
  row[AT.scopeInStem] = question.scope.filter((term) => stemWords.includes(term)).length;
  row[AT.scopeInFolder] = Number(question.scope.some((term) => facts.pathWords.includes(term)));
  row[AT.promise] = candidate.promise / wordWeight;
  row[AT.focus] = candidate.focus / wordWeight;
  row[AT.questionFound] = comparison.found;
  const { meaning } = candidate;
  if (meaning === undefined) return;
  row[AT.meaning] = meaning.score;
  row[AT.meaningBest] = meaning.best;
  row[AT.meaningSecond] = meaning.second;
  row[AT.meaningAverage] = meaning.average;
  row[AT.meaningPath] = meaning.path;
}

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
  ratio(AT.meaningRatio, AT.meaningBest);
  rank(AT.meaningRank, AT.meaning);
  rank(AT.bestRank, AT.best);
  rank(AT.fileRank, AT.fileScore);
  rank(AT.promiseRank, AT.promise);
  rank(AT.stemRank, AT.stemCoverage);
  rank(AT.definitionRank, AT.bestQualified);
}

/** What files around a file say of it: its folder, and its tests. */
function addNeighbours(rows: readonly Float32Array[], candidates: readonly Candidate[]): void {
  const tests = new Map<string, number>();
  const folders = new Map<string, { mass: number; best: number; near: number }>();
  let most = 1e-9;
  for (const [index, { segment, file }] of candidates.entries()) {
    const { traits, subject, folder } = factsOf(segment, file);
    const promise = rows[index]![AT.promise]!;
    if (traits.isTest) {
      tests.set(subject, Math.max(promise, tests.get(subject) ?? 0));
      continue;
    }
    const known = folders.get(folder) ?? { mass: 0, best: 0, near: 0 };
    known.mass += promise;
    known.near = Math.max(known.near, rows[index]![AT.meaning]!);
    known.best = Math.max(known.best, promise);
    folders.set(folder, known);
    most = Math.max(most, known.mass);
  }
  for (const [index, { segment, file }] of candidates.entries()) {
    const { traits, letters, folder } = factsOf(segment, file);
    const row = rows[index]!;
    if (traits.isTest) continue;
    const { mass, best, near } = folders.get(folder)!;
    row[AT.meaningFolder] = near;
    row[AT.testScore] = tests.get(letters) ?? 0;
    row[AT.folderMass] = mass / most;
    row[AT.folderRank] = row[AT.promise]! / Math.max(1e-9, best);
  }
}

function shareOf(words: readonly string[], termIndex: ReadonlyMap<string, number>): number {
  return termHits(words, termIndex) / Math.max(1, words.length);
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
