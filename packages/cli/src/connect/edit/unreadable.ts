import { DragomanError } from '@dragoman/protocol';

/** The error of a file that cannot be changed, with its place and what is wrong. */
export function unreadable(file: string, what: string): DragomanError {
  return new DragomanError('bad-request', `${file}: ${what}. Nothing was changed. Fix the file and try again.`);
}
