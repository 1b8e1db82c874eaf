import type { BackendSession } from '@dragoman/protocol';
import { BlockWriter } from '../../backend/block-writer.ts';
import { OpenApprovals } from '../../backend/open-approvals.ts';
import { Questions, type QuestionsOptions } from './questions.ts';
import { SessionUpdates } from './session-updates.ts';
import { ToolCalls, type ToolCallsOptions } from './tool-calls.ts';

/** Everything that belongs to one session, from when it is opened, over all the processes that serve it. */
export interface OpenedSession {
  session: BackendSession;
  writer: BlockWriter;
  calls: ToolCalls;
  approvals: OpenApprovals;
  questions: Questions;
  updates: SessionUpdates;
}

/** Puts the parts of a session together. */
export function openSession(
  session: BackendSession,
  {
    hasTellingTitles,
    ...options
  }: Pick<ToolCallsOptions, 'terminals' | 'isContinued'> & Pick<QuestionsOptions, 'hasTellingTitles'>,
): OpenedSession {
  const { emit, cwd } = session;
  const writer = new BlockWriter(emit);
  const approvals = new OpenApprovals(emit);
  const calls = new ToolCalls({
    ...options,
    writer,
    cwd,
    onOver: (toolUseId) => approvals.withdrawFor(toolUseId),
  });
  const questions = new Questions({ approvals, calls, cwd, hasTellingTitles });
  return { session, writer, calls, approvals, questions, updates: new SessionUpdates({ writer, calls, emit }) };
}
