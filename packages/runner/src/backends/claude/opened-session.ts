import type { BackendSession } from '@dragoman/protocol';
import { BlockWriter } from '../../backend/block-writer.ts';
import type { Fields } from '../../backend/fields.ts';
import { OpenApprovals } from '../../backend/open-approvals.ts';
import type { OpenHow } from './claude-agent.ts';
import { Questions } from './questions.ts';
import { SessionMessages } from './session-messages.ts';
import { ToolCalls } from './tool-calls.ts';
import { TurnUsage } from './turn-usage.ts';

/** Everything that belongs to one session, from when it is opened, over all the processes that serve it. */
export interface OpenedSession {
  session: BackendSession;
  /** How its conversation begins, as long as it has no id. */
  how: OpenHow;
  writer: BlockWriter;
  calls: ToolCalls;
  approvals: OpenApprovals;
  questions: Questions;
  messages: SessionMessages;
  usage: TurnUsage;
}

/** Puts the parts of a session together. */
export function openSession(
  session: BackendSession,
  how: OpenHow,
  { onSession, onResult }: { onSession: (agentSessionId: string) => void; onResult: (result: Fields) => void },
): OpenedSession {
  const { emit, cwd } = session;
  const writer = new BlockWriter(emit);
  const approvals = new OpenApprovals(emit);
  const calls = new ToolCalls({ writer, cwd, onOver: (toolUseId) => approvals.withdrawFor(toolUseId) });
  const usage = new TurnUsage(how.type === 'new');
  const onStep = (step: Fields) => usage.step(step);
  const messages = new SessionMessages({ writer, calls, emit, onSession, onStep, onResult });
  const questions = new Questions({ approvals, calls, cwd });
  return { session, how, writer, calls, approvals, questions, messages, usage };
}
