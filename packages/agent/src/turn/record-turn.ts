import type { AgentError, Counters, Message } from '@dragoman/protocol';
import { newId } from '@dragoman/protocol';
import { textOf } from '../prompt/session-view.ts';
import { openWorkEnded } from '../session/open-work-ended.ts';
import type { Session } from '../session/session.ts';

/** How a turn ended. */
export interface TurnResult {
  /** The last thing the agent said. */
  text: string;
  counters: Counters;
  error: AgentError | undefined;
}

/**
 * Puts a turn between its two events, whatever becomes of it. `work` gives back why it had to stop, or nothing when the
 * agent was done; when it throws, nothing it began stays open. Rejects only when the turn could not be stored.
 */
export async function recordTurn(
  session: Session,
  messageID: string,
  work: () => Promise<AgentError | undefined>,
): Promise<TurnResult> {
  const turnID = newId('trn');
  session.append({ type: 'turn-started', turnID, messageID });
  let error: AgentError | undefined;
  try {
    error = await work();
  } catch (thrown) {
    error = {
      code: 'internal',
      message: `The turn failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    };
    const ended = openWorkEnded(session.state, { error, calls: `Not run: ${error.message}`, at: Date.now() });
    for (const event of ended) session.append(event);
  }
  const counters = session.state.turn?.counters ?? { modelCalls: 0, toolCalls: 0 };
  session.append({ type: 'turn-finished', turnID, counters, ...(error === undefined ? {} : { error }) });
  await session.stored();
  return { text: lastText(session.state.messages), counters, error };
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(({ info }) => info.role === 'assistant' && info.summary !== true);
  return last === undefined ? '' : textOf(last);
}
