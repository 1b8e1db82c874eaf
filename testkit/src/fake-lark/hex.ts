import { randomBytes } from 'node:crypto';

/** Random bytes as the platform's ids have them. */
export function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
