import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LockNote } from './lock-note.ts';

/** What only a server and those who may read its lock can make a proof with. */
export function newLockSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What a server is asked to answer to, new each time. */
export function newChallenge(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether a text may be a challenge. */
export function isChallenge(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{16,128}$/.test(text);
}

/**
 * The answer of the server that a lock names: it knows the secret in its lock, and shows so without telling it. Whoever
 * took over its port, or passes the question on to a server elsewhere, has no such answer.
 */
export function lockProof({ secret, url = '' }: Pick<LockNote, 'secret' | 'url'>, challenge: string): string {
  return createHmac('sha256', secret).update(`${url}\n${challenge}`).digest('base64url');
}

/** Whether an answer is the proof that was asked for; how long it takes to tell says nothing. */
export function isLockProof(note: Pick<LockNote, 'secret' | 'url'>, challenge: string, answer: unknown): boolean {
  const [expected, given] = [lockProof(note, challenge), String(answer)].map((text) => Buffer.from(text));
  return given!.length === expected!.length && timingSafeEqual(given!, expected!);
}

/** What the runner and the commands of the same data folder call a server by; it counts as long as that server runs. */
export function lockToken({ secret }: Pick<LockNote, 'secret'>): string {
  return createHmac('sha256', secret).update('runner').digest('base64url');
}
