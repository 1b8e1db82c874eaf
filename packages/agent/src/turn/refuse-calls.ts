import { isOpenToolState, type Message, type ToolPart } from '@dragoman/protocol';
import type { Session } from '../session/session.ts';

/** The calls of a message that still wait for their end. */
export function openCalls(message: Message | undefined): ToolPart[] {
  return (message?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool' && isOpenToolState(part.state));
}

/** Settles calls that are not run, with the reason why. */
export function refuseCalls(session: Session, parts: readonly ToolPart[], reason: string, at: number): void {
  for (const { id: partID, messageID, state } of parts)
    session.append({
      type: 'tool-result',
      messageID,
      partID,
      state: { status: 'error', input: state.input, error: reason, time: { start: at, end: at } },
    });
}
