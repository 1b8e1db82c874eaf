import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DragomanError } from '@dragoman/protocol/error';
import { readVectorFile, type WordVectors } from './vector-file.ts';

const BUILT_IN_FILE = fileURLToPath(new URL('../../../vectors.bin', import.meta.url));

/** The file of trained vectors that comes with the package. Where it is damaged nothing can be searched, whatever the index. */
export function readBuiltInFile(file = BUILT_IN_FILE): WordVectors {
  try {
    return readVectorFile(readFileSync(file));
  } catch (cause) {
    throw new DragomanError(
      'unavailable',
      `The word vectors that come with Dragoman cannot be used. Install Dragoman again: ${file}: ${reasonOf(cause)}`,
      { cause },
    );
  }
}

/** Says what the file is; throws, and says what to do, where it cannot be used. */
export function describeBuiltInFile(file = BUILT_IN_FILE): string {
  const { words, dimensions } = readBuiltInFile(file);
  return `${words.length} words of ${dimensions} dimensions: ${file}`;
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'it is not there' : message;
}
