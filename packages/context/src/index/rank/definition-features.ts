import { DEFINITION_KINDS } from '../segment/definition-kinds.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm } from '../text/word-terms.ts';
import type { Comparison } from './compare-candidates.ts';
import { AT } from './feature-names.ts';
import { definitionFacts, factsOf } from './file-facts.ts';
import { lowerBound } from './lower-bound.ts';
import type { Question } from './question.ts';
import type { Candidate } from './score-board.ts';
import { termHits } from './term-hits.ts';

const TYPE_KINDS: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'type', 'module']);
const IS_TYPE = DEFINITION_KINDS.map((kind) => TYPE_KINDS.has(kind));
/** A file with very many definitions is not read to its end. */
const MOST_DEFINITIONS = 100;

/** What the names defined in a file say, as far as they have words of the question. */
export function describeDefinitions(
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
      const definition = definitionFacts(segment, index);
      const { name, words } = definition;
      const match = fit(words, termIndex, weights);
      if (match === 0) continue;
      const { container } = definition;
      const worth = match / wordWeight;
      const isType = IS_TYPE[kinds[index]!]!;
      matched++;
      if (words.length > 1 && termHits(words, termIndex) > 1) withTwo++;
      sum += worth;
      bestQualified = Math.max(bestQualified, worth);
      if (container !== '')
        bestQualified = Math.max(bestQualified, fit(definition.qualified, termIndex, weights) / wordWeight);
      if (worth > best || (worth === best && isType && row[AT.bestDefinitionIsType] === 0)) {
        best = worth;
        row[AT.bestDefinitionIsType] = Number(isType);
        row[AT.bestDefinitionIsOutermost] = Number(container === '');
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

/** How near by meaning the file's name is, and the nearest of the names defined where the file is nearest. */
export function describeNames(
  row: Float32Array,
  { segment, file, meaning, chunks }: Candidate,
  likeness: (name: string) => number,
): void {
  const { reader } = segment;
  row[AT.meaningStem] = likeness(factsOf(segment, file).traits.stem);
  const [first, end] = reader.definitionsOf(file);
  const starts = reader.section('definitionLine');
  let nearest = 0;
  for (const chunk of new Set([meaning?.bestChunk, chunks[0]?.chunk])) {
    if (chunk === undefined) continue;
    const last = reader.section('chunkEnd')[chunk]!;
    const from = lowerBound(starts, first, end, reader.section('chunkStart')[chunk]!);
    for (let index = from; index < end && starts[index]! <= last && index < from + MOST_NAMES; index++)
      nearest = Math.max(nearest, likeness(definitionFacts(segment, index).name));
  }
  row[AT.meaningName] = nearest;
}

/** A chunk with very many definitions is a list. */
const MOST_NAMES = 20;

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
