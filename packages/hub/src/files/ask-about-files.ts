import { DragomanError, type RunnerAsk } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import { askRunner } from '../runners/ask-runner.ts';
import { toSessionSpec } from '../runners/give-command.ts';
import { checkMayUseRunner, findRunner } from '../runners/runner-access.ts';
import { findSession } from '../sessions/find-session.ts';

/** A machine has 15 seconds of its own, and a minute for a commit; it should have the time to say why not. */
const ANSWER_MS = 20_000;
const COMMIT_MS = 59_000;

type FileAsk = Extract<RunnerAsk, { session: unknown }>;
type WithoutSession<Ask> = Ask extends unknown ? Omit<Ask, 'session'> : never;

/** What is asked about the files of a session, and how its answer looks. */
export interface FileQuestion<Answer extends z.ZodType> {
  sessionId: string;
  ask: WithoutSession<FileAsk>;
  answer: Answer;
  /** Who changes something, where something is changed: they must be let to work on that machine. */
  actor?: Caller;
  /** Ends when nobody waits any more. */
  signal: AbortSignal;
}

/**
 * Asks the machine of a session about the session's files. Whoever may read sessions may look at what their agents work
 * on; the machine itself keeps back what lies outside of the session's folder and files that hold secrets.
 */
export async function askAboutFiles<Answer extends z.ZodType>(
  parts: HubParts,
  { sessionId, ask, answer, actor, signal }: FileQuestion<Answer>,
): Promise<z.output<Answer>> {
  const session = await findSession(parts, sessionId);
  const runner = await findRunner(parts.db, session.runner_id);
  if (actor !== undefined) checkMayUseRunner(actor, runner);
  const whole = { ...ask, session: toSessionSpec(session) };
  const limitMs = ask.method === 'commit-changes' ? COMMIT_MS : ANSWER_MS;
  const parsed = answer.safeParse(await askRunner(parts, runner, whole, signal, limitMs));
  if (parsed.success) return parsed.data;
  throw new DragomanError('unavailable', `The answer of the machine ${runner.name} cannot be read; update its runner.`);
}
