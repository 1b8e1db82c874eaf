import { http } from '../network/node-http.ts';
import type { LockNote } from './lock-note.ts';
import { isLockProof, newChallenge } from './lock-proof.ts';

/** How long it may take to say so. */
const ANSWER_MS = 2_000;
/** Longer than any answer of `/health`. */
const MAX_ANSWER = 10_000;

/** What came of asking: the server itself, somebody else at its address, nobody there, or no answer. */
export type HealthVerdict = 'well' | 'other' | 'nobody' | 'silent';

/** How a server is asked. */
export interface AskOptions {
  answerMs?: number;
  /** Calls the question off. */
  signal?: AbortSignal | undefined;
}

/**
 * Asks a server whether it is the one that a lock names, and believes a proof alone. One whose database is away says so,
 * and counts: it is there. The question never goes through a proxy, whatever the environment says.
 */
export function askHealth(
  note: Pick<LockNote, 'secret'> & { url: string },
  { answerMs = ANSWER_MS, signal }: AskOptions = {},
): Promise<HealthVerdict> {
  const challenge = newChallenge();
  const limit = AbortSignal.timeout(answerMs);
  return new Promise((resolve) => {
    const request = http.get(
      `${note.url}/health?challenge=${challenge}`,
      { agent: false, signal: signal === undefined ? limit : AbortSignal.any([limit, signal]) },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          if (text.length <= MAX_ANSWER) return;
          resolve('other');
          request.destroy();
        });
        response.on('end', () => resolve(isLockProof(note, challenge, proofIn(text)) ? 'well' : 'other'));
        response.on('error', () => resolve('silent'));
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : error.code?.startsWith('HPE_') === true ? 'other' : 'silent'),
    );
  });
}

function proofIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { proof?: unknown } | null)?.proof;
  } catch {
    return undefined;
  }
}
