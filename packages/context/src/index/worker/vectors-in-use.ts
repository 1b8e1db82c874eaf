import { workerData } from 'node:worker_threads';
import { builtInVectors } from '../vectors/built-in-vectors.ts';

/** What a thread of the index is told when it starts. */
export interface IndexThreadData {
  /** The space of vectors that are made elsewhere; absent where the built-in ones are in use. */
  givenSpace: string | undefined;
}

/** The space of vectors that are made elsewhere and given to this thread; undefined where it makes its own. */
export const givenSpace = (workerData as IndexThreadData | null)?.givenSpace;

/** What the vectors of segments can be compared with. Segments of another space are built anew. */
export function spaceInUse(): string {
  return givenSpace ?? builtInVectors().space;
}
