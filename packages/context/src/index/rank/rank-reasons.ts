import { FEATURES, type FeatureName } from './feature-names.ts';

/** What can speak for a file or against it, for programs. */
export type RankReasonName =
  | 'words-in-text'
  | 'words-in-path'
  | 'names-defined'
  | 'symbol-defined'
  | 'whole-phrase'
  | 'used-by-others'
  | 'files-around'
  | 'kind-of-file'
  | 'size-and-depth'
  | 'meaning';

/** The same for people. */
export const REASON_TITLES: Record<RankReasonName, string> = {
  'words-in-text': 'Words in the text',
  'words-in-path': 'Words in the path',
  'names-defined': 'Words in names defined here',
  'symbol-defined': 'Definition of the name asked for',
  'whole-phrase': 'Words that make one name together',
  'used-by-others': 'Use by other files',
  'files-around': 'Files around it',
  'kind-of-file': 'Kind of file',
  'size-and-depth': 'Size and depth',
  meaning: 'Meaning',
};

/**
 * Which reason each feature belongs to. What is true of the question and not of the file is the same for every place, and
 * is no reason.
 */
const REASON_OF: Record<FeatureName, RankReasonName | undefined> = {
  best: 'words-in-text',
  bestShare: 'words-in-text',
  second: 'words-in-text',
  third: 'words-in-text',
  fileScore: 'words-in-text',
  fileShare: 'words-in-text',
  bestRank: 'words-in-text',
  fileRank: 'words-in-text',
  coverage: 'words-in-text',
  bestCoverage: 'words-in-text',
  stemCoverage: 'words-in-path',
  stemPrecision: 'words-in-path',
  stemExact: 'words-in-path',
  stemPair: 'words-in-path',
  folderCoverage: 'words-in-path',
  lastFolder: 'words-in-path',
  pathCoverage: 'words-in-path',
  memberCoverage: 'names-defined',
  typeCoverage: 'names-defined',
  definitionCoverage: 'names-defined',
  bestDefinition: 'names-defined',
  bestDefinitionIsType: 'names-defined',
  bestDefinitionIsOutermost: 'names-defined',
  definitionsMatched: 'names-defined',
  wholeMatched: 'whole-phrase',
  symbolDefined: 'symbol-defined',
  symbolIsType: 'symbol-defined',
  symbolIsOutermost: 'symbol-defined',
  symbolLines: 'symbol-defined',
  symbolInContainer: 'symbol-defined',
  symbolIsStem: 'symbol-defined',
  symbolCount: 'symbol-defined',
  symbolFirst: 'symbol-defined',
  matchedChunks: 'words-in-text',
  matchedShare: 'words-in-text',
  firstChunk: 'words-in-text',
  mentions: 'used-by-others',
  imports: 'used-by-others',
  folderImports: 'used-by-others',
  isTest: 'kind-of-file',
  isExample: 'kind-of-file',
  isDocument: 'kind-of-file',
  isBenchmark: 'kind-of-file',
  isForeign: 'kind-of-file',
  isGenerated: 'kind-of-file',
  isCode: 'kind-of-file',
  isHeader: 'kind-of-file',
  isTypesOnly: 'kind-of-file',
  isEntry: 'kind-of-file',
  isInternal: 'kind-of-file',
  isLegacy: 'kind-of-file',
  isScript: 'kind-of-file',
  depth: 'size-and-depth',
  lines: 'size-and-depth',
  definitions: 'size-and-depth',
  languageShare: 'kind-of-file',
  questionTerms: undefined,
  questionIsSymbol: undefined,
  questionHasSymbol: undefined,
  siblingStem: 'files-around',
  headCoverage: 'words-in-text',
  widestCoverage: 'words-in-text',
  stemRarity: 'words-in-path',
  firstInStem: 'words-in-path',
  firstInDefinition: 'names-defined',
  tailPrecision: 'words-in-path',
  stemIsGeneric: 'words-in-path',
  stemLikeness: 'words-in-path',
  bestQualified: 'names-defined',
  definitionsWithTwo: 'names-defined',
  definitionSum: 'names-defined',
  promise: 'words-in-text',
  promiseRank: 'words-in-text',
  focus: 'words-in-text',
  focusRatio: 'words-in-text',
  definedCoverage: 'names-defined',
  coverageRatio: 'words-in-text',
  stemRatio: 'words-in-path',
  stemRank: 'words-in-path',
  definitionRatio: 'names-defined',
  definitionRank: 'names-defined',
  definitionShare: 'names-defined',
  scopeInStem: 'words-in-path',
  scopeInFolder: 'words-in-path',
  questionHasScope: undefined,
  testScore: 'files-around',
  folderMass: 'files-around',
  folderRank: 'files-around',
  stemLetters: 'words-in-path',
  acronym: 'words-in-path',
  isOlder: 'kind-of-file',
  isContract: 'kind-of-file',
  isPlatform: 'kind-of-file',
  wantedTest: 'kind-of-file',
  questionIsAsking: undefined,
  questionIsChange: undefined,
  nameCoverage: 'whole-phrase',
  rarestCoverage: 'words-in-text',
  viewFiles: undefined,
  questionFound: undefined,
  meaning: 'meaning',
  meaningRank: 'meaning',
  meaningBest: 'meaning',
  meaningRatio: 'meaning',
  meaningSecond: 'meaning',
  meaningAverage: 'meaning',
  meaningPath: 'meaning',
  meaningFolder: 'meaning',
  meaningStem: 'meaning',
  meaningName: 'meaning',
};

/** These are of the file alone; all other reasons come of what the question finds in it. */
const OF_FILE: ReadonlySet<RankReasonName | undefined> = new Set<RankReasonName | undefined>([
  'used-by-others',
  'kind-of-file',
  'size-and-depth',
  undefined,
]);

/** The same file as it would be seen if the question found nothing in it: what an only candidate is compared with. */
export function unmatched(row: Float32Array): Float32Array {
  return row.map((value, index) => (OF_FILE.has(REASON_OF[FEATURES[index]!]) ? value : 0));
}

/** What the features of each reason added to a score together, or took from it. */
export function sumByReason(contributions: Float64Array): Map<RankReasonName, number> {
  const sums = new Map<RankReasonName, number>();
  for (const [index, name] of FEATURES.entries()) {
    const reason = REASON_OF[name];
    if (reason !== undefined) sums.set(reason, (sums.get(reason) ?? 0) + contributions[index]!);
  }
  return sums;
}
