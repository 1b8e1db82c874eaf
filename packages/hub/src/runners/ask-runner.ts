import { DragomanError, newId, type RunnerAsk } from '@dragoman/protocol';
import { type Caller, storeTime } from '@dragoman/server/base';
import { sql } from 'kysely';
import { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import { checkConnected } from './away-machine.ts';
import { checkOwnsRunner, findRunner, type RunnerRow } from './runner-access.ts';

/** How long a machine may take to answer, where nothing else is said. */
const ANSWER_MS = 10_000;

const replySchema = z.union([
  z.object({ result: z.unknown() }).refine((reply) => reply.result !== undefined),
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
]);

/**
 * Asks a machine something about itself. Question and answer go through a table, because the runner may be connected to
 * another process of the hub than the person who asks.
 */
export async function askRunner(
  parts: HubParts,
  runner: RunnerRow,
  ask: RunnerAsk,
  signal: AbortSignal,
  limitMs = ANSWER_MS,
): Promise<unknown> {
  const { db, engine, feed, now } = parts;
  checkConnected(parts, runner);
  const id = newId('ask');
  const time = () => storeTime(engine, now);
  await db.deleteFrom('hub_asks').where('expires_at', '<', time()).execute();
  const answered = Promise.withResolvers<string>();
  answered.promise.catch(() => {}); // It may be given up before anybody waits for it.
  const look = async () => {
    const row = await db.selectFrom('hub_asks').select('reply_json').where('id', '=', id).executeTakeFirst();
    if (typeof row?.reply_json === 'string') answered.resolve(row.reply_json);
  };
  const unhear = feed.hear('asks', (payload) => {
    if (payload === undefined || payload === id) look().catch((error: unknown) => answered.reject(error));
  });
  const timeLimit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const giveUp = () => answered.reject(tooLate(runner, signal, limitMs));
  timeLimit.addEventListener('abort', giveUp, { once: true });
  let isAnswered = false;
  try {
    if (timeLimit.aborted) throw tooLate(runner, signal, limitMs);
    await db
      .insertInto('hub_asks')
      .values({
        id,
        runner_id: runner.id,
        ask_json: JSON.stringify(ask),
        reply_json: null,
        expires_at: sql<number>`${time()} + ${limitMs}`,
      })
      .execute();
    feed.tell('asks', runner.id);
    const reply = await answered.promise;
    isAnswered = true;
    return readReply(reply);
  } finally {
    timeLimit.removeEventListener('abort', giveUp);
    unhear();
    await db.deleteFrom('hub_asks').where('id', '=', id).execute();
    if (!isAnswered) feed.tell('asks', runner.id); // The machine need not look any further.
  }
}

/** Takes what a runner answers. One that comes too late is no mistake of the runner. */
export async function takeReply(
  { db, feed }: HubParts,
  caller: Caller,
  { runnerId, askId, reply }: { runnerId: string; askId: string; reply: unknown },
): Promise<void> {
  checkOwnsRunner(caller, await findRunner(db, runnerId));
  const parsed = replySchema.safeParse(reply);
  if (!parsed.success)
    throw new DragomanError('bad-request', 'the body: expected {"result":…} or {"error":{code,message}}');
  await db
    .updateTable('hub_asks')
    .set({ reply_json: JSON.stringify(parsed.data) })
    .where('id', '=', askId)
    .where('runner_id', '=', runnerId)
    .execute();
  feed.tell('asks', askId);
}

function readReply(json: string): unknown {
  const reply = JSON.parse(json) as z.infer<typeof replySchema>;
  if ('result' in reply) return reply.result;
  const { code, message } = reply.error;
  throw new DragomanError(isPassedOn(code) ? code : 'unavailable', message);
}

const PASSED_ON = ['bad-request', 'conflict', 'forbidden', 'not-found', 'timed-out', 'unavailable'] as const;

function isPassedOn(code: string): code is (typeof PASSED_ON)[number] {
  return (PASSED_ON as readonly string[]).includes(code);
}

function tooLate(runner: RunnerRow, signal: AbortSignal, limitMs: number): DragomanError {
  return signal.aborted
    ? new DragomanError('cancelled', 'Nobody waits for the answer any more.')
    : new DragomanError('timed-out', `The machine ${runner.name} did not answer within ${limitMs / 1000} seconds.`, {
        isRetryable: true,
      });
}
