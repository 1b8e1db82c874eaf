import { closeSync, readFileSync } from 'node:fs';
import { openReal } from '@dragoman/server/files';

/** The bytes of the file at a real path, and of no other that a link put in its place since it was resolved. */
export function readReal(real: string): Buffer {
  const { fd } = openReal(real);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
