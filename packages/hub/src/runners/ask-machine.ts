import { DragomanError, type RunnerAsk } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import { askRunner } from './ask-runner.ts';
import { checkMayUseRunner, findRunner } from './runner-access.ts';

/** What somebody asks of a machine, and how its answer looks. */
export interface MachineQuestion<Answer extends z.ZodType> {
  caller: Caller;
  runnerId: string;
  ask: RunnerAsk;
  answer: Answer;
  /** Ends when nobody waits any more. */
  signal: AbortSignal;
}

/** Asks a machine something for a person who may let agents work on it. */
export async function askMachine<Answer extends z.ZodType>(
  parts: HubParts,
  { caller, runnerId, ask, answer, signal }: MachineQuestion<Answer>,
): Promise<z.output<Answer>> {
  const runner = await findRunner(parts.db, runnerId);
  checkMayUseRunner(caller, runner);
  const parsed = answer.safeParse(await askRunner(parts, runner, ask, signal));
  if (parsed.success) return parsed.data;
  throw new DragomanError('unavailable', `The answer of the machine ${runner.name} cannot be read; update its runner.`);
}
