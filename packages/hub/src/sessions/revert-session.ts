import {
  type BackendCapabilities,
  describeFault,
  DragomanError,
  type DragomanErrorCode,
  type HubEventOf,
  newId,
} from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { sentPrompts } from '../inbox/sent-prompts.ts';
import { findPrompts } from '../log/find-prompts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { checkConnected } from '../runners/away-machine.ts';
import { giveCommand, type StoredCommand, toSessionSpec } from '../runners/give-command.ts';
import { findRunner } from '../runners/runner-access.ts';
import { checkMayActIn } from './find-session.ts';

/** How long a machine may take; the route has a little more. */
const REVERT_MS = 50_000;

type Parts = Pick<HubParts, 'log' | 'feed' | 'presence' | 'config' | 'now'>;

/** Which prompt is to go. */
export interface RevertOptions {
  sessionId: string;
  messageId: string;
  /** Of who asks. One who leaves is not waited for; the revert goes on. */
  signal: AbortSignal;
  limitMs?: number;
}

/**
 * Takes a prompt and everything that followed out of a session, and lets the agent undo what it changed in files. Resolves when
 * the agent has done it. A machine that is away is not asked later: by then somebody may have gone on working.
 */
export async function revertSession(
  parts: Parts,
  caller: Caller,
  { sessionId, messageId, signal, limitMs = REVERT_MS }: RevertOptions,
): Promise<{ files: string[] }> {
  const revertId = newId('rvt');
  const { seq, machine } = await parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    const runner = await checkCanRevert(parts, change, messageId);
    await giveCommand(parts, change, { type: 'revert', messageId, revertId });
    return { seq: change.session.seq, machine: runner.name };
  });
  const settling = settle(parts, { sessionId, seq, revertId, machine, limitMs });
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(new DragomanError('cancelled', 'Nobody waits for the revert any more.'));
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([settling, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** A revert that a machine was told of. */
interface GivenRevert {
  sessionId: string;
  /** Where the log was then. */
  seq: number;
  revertId: string;
  machine: string;
  limitMs: number;
}

/** What becomes of it, whoever waits: a machine that does not do it in time is not to do it later. */
async function settle(parts: Parts, revert: GivenRevert): Promise<{ files: string[] }> {
  const { sessionId, revertId, machine, limitMs } = revert;
  const timeLimit = AbortSignal.timeout(limitMs);
  try {
    const outcome = await outcomeOf(parts, revert, timeLimit);
    if (outcome.type === 'reverted') return { files: outcome.files };
    throw new DragomanError(errorCode(outcome.error.code), describeFault(outcome.error));
  } catch (error) {
    if (!timeLimit.aborted) throw error;
    await takeCommandBack(parts, sessionId, revertId);
    throw new DragomanError(
      'timed-out',
      `The machine ${machine} did not take the prompt back within ${limitMs / 1000} seconds; the session shows it if it still does.`,
      { isRetryable: true },
    );
  }
}

async function checkCanRevert(parts: Parts, change: SessionChange, messageId: string): Promise<{ name: string }> {
  const { db, session } = change;
  const { revert } = JSON.parse(session.capabilities_json) as BackendCapabilities;
  if (revert !== true)
    throw new DragomanError('bad-request', `The agent ${session.agent} cannot take a prompt back in this session.`);
  if (session.turn_id !== null || (await sentPrompts(db, session.id)).length > 0)
    throw new DragomanError(
      'conflict',
      'The agent is at work in this session; stop it first, then take the prompt back.',
    );
  if ((await findReverts(change)).length > 0)
    throw new DragomanError(
      'conflict',
      'A prompt is being taken back in this session already; wait until that is done.',
    );
  if (!(await findPrompts(db, session.id)).takenUp.has(messageId))
    throw new DragomanError(
      'not-found',
      `There is no prompt ${JSON.stringify(messageId.slice(0, 100))} in this session.`,
    );
  const runner = await findRunner(db, session.runner_id);
  checkConnected(parts, runner);
  return runner;
}

/** What the agent says came of it, from wherever it is told. */
function outcomeOf(
  { feed }: Parts,
  { sessionId, seq, revertId }: GivenRevert,
  signal: AbortSignal,
): Promise<HubEventOf<'reverted' | 'revert-failed'>> {
  const { promise, resolve, reject } = Promise.withResolvers<HubEventOf<'reverted' | 'revert-failed'>>();
  const leave = feed.subscribe(sessionId, seq, {
    receive(events) {
      for (const { event } of events)
        if ((event.type === 'reverted' || event.type === 'revert-failed') && event.revertId === revertId)
          resolve(event);
    },
    end: () => reject(new DragomanError('unavailable', 'The session was ended before the prompt was taken back.')),
  });
  const giveUp = () => reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  return promise.finally(() => {
    signal.removeEventListener('abort', giveUp);
    leave();
  });
}

/** A machine that has not heard of it by now is not to do it any more. Commands have numbers without gaps, so it is replaced. */
async function takeCommandBack({ log }: Parts, sessionId: string, revertId: string): Promise<void> {
  await log.change(sessionId, async (change) => {
    const { db, session } = change;
    for (const { runner_id, number, command } of await findReverts(change)) {
      if (command.revertId !== revertId) continue;
      const nothing: StoredCommand = { session: toSessionSpec(session), command: { type: 'cancel' } };
      await db
        .updateTable('hub_commands')
        .set({ command_json: JSON.stringify(nothing) })
        .where('runner_id', '=', runner_id)
        .where('number', '=', number)
        .execute();
    }
  });
}

/** Reverts that were not carried out yet. */
async function findReverts({ db, session }: SessionChange) {
  const rows = await db
    .selectFrom('hub_commands')
    .select(['runner_id', 'number', 'command_json'])
    .where('runner_id', '=', session.runner_id)
    .where('session_id', '=', session.id)
    .execute();
  return rows.flatMap(({ runner_id, number, command_json }) => {
    const { command } = JSON.parse(command_json) as StoredCommand;
    return command.type === 'revert' ? [{ runner_id, number, command }] : [];
  });
}

const PASSED_ON = ['bad-request', 'not-found', 'conflict', 'timed-out'] as const satisfies DragomanErrorCode[];

function errorCode(code: string): DragomanErrorCode {
  return PASSED_ON.find((known) => known === code) ?? 'unavailable';
}
