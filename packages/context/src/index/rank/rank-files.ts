import type { Hit } from '../code-index.ts';
import type { Definition } from '../definitions/definition.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm } from '../text/word-terms.ts';
import type { TreeScorer } from './boosted-trees.ts';
import { type Candidate, collectCandidates } from './candidates.ts';
import { fileFeatures } from './file-features.ts';
import type { LiveSegment } from './live-segment.ts';
import { type Question, readQuestion } from './question.ts';

/** The files that answer a question, best first, each with its best place. */
export function rankFiles(segments: readonly LiveSegment[], query: string, limit: number, ranker: TreeScorer): Hit[] {
  const question = readQuestion(query);
  const collected = collectCandidates(segments, question);
  const rows = fileFeatures(question, collected);
  return collected.candidates
    .map((candidate, index) => ({ candidate, score: ranker.score(rows[index]!) }))
    .sort((one, other) => other.score - one.score || (pathOf(one.candidate) < pathOf(other.candidate) ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate, score }) => bestPlace(candidate, question, score));
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
  const chunk = candidate.chunks[0]?.chunk ?? reader.chunksOf(candidate.file)[0];
  const symbol = chunkSymbol(candidate, chunk);
  return {
    ...hit,
    start: reader.section('chunkStart')[chunk] ?? 1,
    end: reader.section('chunkEnd')[chunk] ?? 1,
    ...(symbol !== undefined && { symbol }),
  };
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
