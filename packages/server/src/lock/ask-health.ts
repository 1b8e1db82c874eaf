import { get } from 'node:http';
import type { LockNote } from './lock-note.ts';

/** How long it may take to say so. */
const ANSWER_MS = 2_000;
/** Longer than any answer of `/health`. */
const MAX_ANSWER = 10_000;

/** What came of asking: the server itself, somebody else at its address, nobody there, or no answer. */
export type HealthVerdict = 'well' | 'other' | 'nobody' | 'silent';

/**
 * Asks a server whether it is the one that a lock names. One whose database is away says so, and counts: it is there.
 * The question never goes through a proxy, whatever the environment says.
 */
export function askHealth(url: string, { startedAt }: Pick<LockNote, 'startedAt'>): Promise<HealthVerdict> {
  return new Promise((resolve) => {
    const request = get(`${url}/health`, { agent: false, signal: AbortSignal.timeout(ANSWER_MS) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length <= MAX_ANSWER) return;
        resolve('other');
        request.destroy();
      });
      response.on('end', () => resolve(isFrom(startedAt, text) ? 'well' : 'other'));
      response.on('error', () => resolve('silent'));
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : error.code?.startsWith('HPE_') === true ? 'other' : 'silent'),
    );
  });
}

function isFrom(startedAt: number, text: string): boolean {
  try {
    return (JSON.parse(text) as { startedAt?: unknown } | null)?.startedAt === startedAt;
  } catch {
    return false;
  }
}
