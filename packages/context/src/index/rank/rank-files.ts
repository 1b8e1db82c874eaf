import type { Hit } from '../code-index.ts';
import type { Definition } from '../definitions/definition.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm } from '../text/word-terms.ts';
import type { CodeVectors } from '../vectors/code-vectors.ts';
import type { BoostedTrees, TreeScorer } from './boosted-trees.ts';
import { collectCandidates } from './candidates.ts';
import type { Candidate } from './score-board.ts';
import { explainRank } from './explain-rank.ts';
import { fileFeatures } from './file-features.ts';
import { type CompareMeaning, compareMeaning } from './file-meaning.ts';
import type { LiveSegment } from './live-segment.ts';
import { type Question, readQuestion } from './question.ts';
import { unmatched } from './rank-reasons.ts';
import { TreeAttribution } from './tree-attribution.ts';

export interface RankedBy {
  ranker: TreeScorer;
  /** Makes the question's vector and finds English words for Chinese ones; without it words alone count. */
  vectors?: Pick<CodeVectors, 'question' | 'translate' | 'nameLikeness'> | undefined;
  /** How the question's vector is compared with all others; here and now, if nothing else is said. */
  compare?: CompareMeaning;
  /** The ranker's trees, where each file is to say why it ranked. */
  explainedBy?: BoostedTrees | undefined;
}

/** The files that answer a question, best first, each with its best place and, given the trees to read it from, why. */
export function rankFiles(
  segments: readonly LiveSegment[],
  query: string,
  limit: number,
  { ranker, vectors, compare = compareMeaning, explainedBy }: RankedBy,
): Hit[] {
  const question = readQuestion(query, vectors?.translate(query));
  const vector = question.hasMeaning ? vectors?.question(query) : undefined;
  const collected = collectCandidates(segments, question, vector && compare(segments, vector));
  const rows = fileFeatures(question, collected, question.hasMeaning ? vectors?.nameLikeness(query) : undefined);
  const compared = rows.length === 1 ? [...rows, unmatched(rows[0]!)] : rows;
  const attribution = explainedBy && new TreeAttribution(explainedBy, compared);
  return collected.candidates
    .map((candidate, index) => ({ candidate, row: rows[index]!, score: ranker.score(rows[index]!) }))
    .sort((one, other) => other.score - one.score || (pathOf(one.candidate) < pathOf(other.candidate) ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate, row, score }) => ({
      ...bestPlace(candidate, question, score),
      ...(attribution !== undefined && { why: explainRank(candidate, question, row, attribution) }),
    }));
}

/** Files that score alike come in the order of their paths, whichever segments they are in. */
function pathOf({ segment, file }: Candidate): string {
  return segment.reader.path(file);
}

/** Where a name that was asked for is defined, the place is that definition; otherwise it is the best chunk. */
function bestPlace(candidate: Candidate, question: Question, score: number): Hit {
  const { reader } = candidate.segment;
  const hit = { blobName: reader.blobName(candidate.file), path: reader.path(candidate.file), score };
  const defined = question.isSymbol ? askedDefinition(candidate, question) : undefined;
  if (defined !== undefined) return { ...hit, start: defined.line, end: defined.endLine, symbol: defined.name };
  const chunk = bestChunk(candidate, question);
  const symbol = chunkSymbol(candidate, chunk);
  return {
    ...hit,
    start: reader.section('chunkStart')[chunk] ?? 1,
    end: reader.section('chunkEnd')[chunk] ?? 1,
    ...(symbol !== undefined && { symbol }),
  };
}

/** By words; where a Chinese question has only few of them in common with English code, by meaning. */
function bestChunk({ chunks, meaning, segment: { reader }, file }: Candidate, { isChinese }: Question): number {
  const [first] = reader.chunksOf(file);
  const byWords = chunks[0]?.chunk;
  return (isChinese ? (meaning?.bestChunk ?? byWords) : (byWords ?? meaning?.bestChunk)) ?? first;
}

function askedDefinition(candidate: Candidate, question: Question): Definition | undefined {
  const { reader } = candidate.segment;
  const names = new Set(question.symbols.map(({ name }) => wholeTerm(splitIdentifier(name))));
  const [first, end] = reader.definitionsOf(candidate.file);
  let best: Definition | undefined;
  for (let index = first; index < end; index++) {
    const definition = reader.definition(index);
    if (!names.has(wholeTerm(splitIdentifier(definition.name)))) continue;
    if (best === undefined || definition.endLine - definition.line > best.endLine - best.line) best = definition;
  }
  return best;
}

function chunkSymbol({ segment: { reader }, file }: Candidate, chunk: number): string | undefined {
  const own = reader.section('chunkDefinition')[chunk] ?? 0;
  return own === 0 ? undefined : reader.definition(reader.definitionsOf(file)[0] + own - 1).name;
}
