import type { Row } from '@dragoman/protocol';

/** What an agent says to people. What it thinks and calls on the way belongs to what it says then. */
const SAID: ReadonlySet<Row['type']> = new Set(['text', 'approval', 'attachment', 'notice', 'error']);

/**
 * How many messages came after an event: the prompts of others, and answers. All that an agent says between two prompts is one
 * answer, however many parts it has.
 */
export function countNews(rows: readonly Row[], seenSeq: number, myId: string | undefined): number {
  let count = 0;
  let isInAnswer = false;
  for (const row of rows) {
    if (row.since <= seenSeq) continue;
    if (row.type === 'prompt') {
      isInAnswer = false;
      if (!isMine(row, myId)) count += 1;
    } else if (!isInAnswer && (SAID.has(row.type) || isAsking(row))) {
      isInAnswer = true;
      count += 1;
    }
  }
  return count;
}

function isMine({ message: { by } }: Extract<Row, { type: 'prompt' }>, myId: string | undefined): boolean {
  return by?.type === 'user' && by.userId === myId;
}

function isAsking(row: Row): boolean {
  return row.type === 'call' && row.call.tool?.status === 'Waiting';
}
