import type { Hit } from '../code-index.ts';
import type { Definition, DefinitionKind } from '../definitions/definition.ts';
import { readPostings } from '../segment/postings.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { termHash } from '../text/term-hash.ts';
import { wholeTerm, wordTerms } from '../text/word-terms.ts';
import type { LiveSegment } from './live-segment.ts';
import { pathTraits } from './path-traits.ts';

/** Every definition of a name, the main one first: spelled as asked, something large, outermost, in code that is shipped. */
export function findSymbol(segments: readonly LiveSegment[], asked: string, limit: number): Hit[] {
  const parts = asked.trim().split(/::|\.|#|->|\//);
  const name = parts.at(-1)!.replace(/\(\)$/, '');
  const container = parts.at(-2);
  const terms = wordTerms(name);
  const term = terms.find((candidate) => candidate.startsWith('=')) ?? terms[0];
  if (term === undefined) return [];
  const whole = wholeTerm(splitIdentifier(name));
  const hits: Hit[] = [];
  for (const segment of segments) {
    for (const file of filesDefining(segment, term)) {
      const [first, end] = segment.reader.definitionsOf(file);
      for (let index = first; index < end; index++) {
        const definition = segment.reader.definition(index);
        if (wholeTerm(splitIdentifier(definition.name)) !== whole) continue;
        if (container !== undefined && definition.container?.toLowerCase() !== container.toLowerCase()) continue;
        hits.push(toHit(segment, file, definition, name));
      }
    }
  }
  return hits.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1)).slice(0, limit);
}

function* filesDefining({ reader, isLive }: LiveSegment, term: string): Generator<number> {
  const postings = reader.postings(termHash(term));
  if (postings === undefined) return;
  const chunkFile = reader.section('chunkFile');
  const files = new Set<number>();
  readPostings(postings.bytes, postings.length, (chunk, packed) => {
    const file = chunkFile[chunk]!;
    if (packed >> 6 > 0 && isLive[file] === 1) files.add(file);
  });
  yield* files;
}

const KIND_SCORES: Record<DefinitionKind, number> = {
  class: 5,
  interface: 5,
  enum: 5,
  type: 4.5,
  module: 4,
  function: 4,
  method: 3,
  constant: 2.5,
  macro: 3,
  section: 0.5,
};

function toHit({ reader }: LiveSegment, file: number, definition: Definition, asked: string): Hit {
  const path = reader.path(file);
  const traits = pathTraits(path);
  const isNamedAfter =
    splitIdentifier(traits.stem).join('').toLowerCase() === splitIdentifier(asked).join('').toLowerCase();
  const score =
    KIND_SCORES[definition.kind] +
    (definition.name === asked ? 6 : 0) +
    (definition.container === undefined ? 1 : 0) +
    (isNamedAfter ? 2 : 0) +
    Math.min(2, Math.log10(1 + definition.endLine - definition.line)) -
    (traits.isTest ? 4 : 0) -
    (traits.isExample || traits.isDocument || traits.isBenchmark ? 2 : 0) -
    (traits.isForeign || traits.isGenerated ? 2 : 0) -
    0.1 * traits.depth;
  return {
    blobName: reader.blobName(file),
    path,
    start: definition.line,
    end: definition.endLine,
    symbol: definition.name,
    score,
  };
}
