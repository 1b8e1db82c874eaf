import type { HubEventOf } from '@dragoman/protocol';
import { inSpan } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { giveCommand } from '../runners/give-command.ts';
import { isAway } from '../sessions/end-while-away.ts';

/** Notes a prompt that was just told to the log, and sends it where nothing holds it back. */
export async function enterPrompt(
  parts: HubParts,
  change: SessionChange,
  { prompt }: HubEventOf<'prompt-queued'>,
  at: number,
): Promise<void> {
  const { db, session } = change;
  const attributes = () => ({ 'gen_ai.conversation.id': session.id, 'dragoman.prompt.id': prompt.id });
  await inSpan('hub prompt', 'producer', attributes, async () => parts.promptTraces.note(session.id, prompt.id));
  const last = await db
    .selectFrom('hub_prompts')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('session_id', '=', session.id)
    .executeTakeFirst();
  await db
    .insertInto('hub_prompts')
    .values({
      session_id: session.id,
      id: prompt.id,
      state: 'queued',
      delivery: prompt.delivery,
      content_json: JSON.stringify(prompt.content),
      by_json: JSON.stringify(prompt.by),
      created_at: Math.max(at, Number(last?.at ?? 0) + 1), // Their order is the order they came in, also within a millisecond.
    })
    .execute();
  if (prompt.delivery === 'steer' && session.turn_id !== null && !(await isAway(parts, change)))
    await handOver(parts, change, prompt.id, 'steer');
  else await sendNext(parts, change);
}

/**
 * Sends the next prompt where nothing runs and none is on its way. While the runner is away prompts stay here, so that
 * they can be withdrawn.
 */
export async function sendNext(parts: HubParts, change: SessionChange): Promise<void> {
  const { db, session } = change;
  if (session.turn_id !== null) return;
  const waiting = await db
    .selectFrom('hub_prompts')
    .select(['id', 'state'])
    .where('session_id', '=', session.id)
    .where('state', 'in', ['queued', 'sent'])
    .orderBy('created_at')
    .execute();
  const next = waiting[0];
  if (next === undefined || waiting.some(({ state }) => state === 'sent')) return;
  if (!(await isAway(parts, change))) await handOver(parts, change, next.id, 'prompt');
}

/** Notes that a turn began with a prompt, that it went into one, or that it was taken back. */
export async function leaveQueue(
  { db, session }: SessionChange,
  promptId: string,
  state: 'taken' | 'withdrawn',
): Promise<void> {
  await db
    .updateTable('hub_prompts')
    .set({ state })
    .where('session_id', '=', session.id)
    .where('id', '=', promptId)
    .where('state', 'in', ['queued', 'sent'])
    .execute();
}

async function handOver(
  parts: HubParts,
  change: SessionChange,
  promptId: string,
  type: 'prompt' | 'steer',
): Promise<void> {
  await change.db
    .updateTable('hub_prompts')
    .set({ state: 'sent' })
    .where('session_id', '=', change.session.id)
    .where('id', '=', promptId)
    .execute();
  await giveCommand(parts, change, { type, prompt: { id: promptId, content: [] } });
}
