import type { SessionView } from '@dragoman/protocol';
import { post } from './outbox.ts';
import { newPromptId } from './prompt-id.ts';

type ShownMessage = SessionView['messages'][number];

/** The prompt of the last turn, to be sent again; none where it is not there or something is under way. */
export function lastPrompt(view: SessionView): ShownMessage | undefined {
  const isRunning = view.turn !== undefined && view.turn.finishedAt === undefined;
  if (isRunning || view.queue.length > 0) return undefined;
  return view.messages.findLast(({ by, turnId }) => by !== undefined && turnId === view.turn?.id);
}

/** Sends a prompt again with what was attached to it, or another text in its place. */
export function repeatPrompt(sessionId: string, prompt: ShownMessage | undefined, text?: string): void {
  const content = (prompt?.blocks ?? []).flatMap(({ block }) =>
    block.type === 'text' || block.type === 'image' || block.type === 'file' ? [block] : [],
  );
  const said = text === undefined ? { content } : { text };
  post({
    call: 'sendPrompt',
    input: { sessionId, id: newPromptId(), delivery: 'queue', channel: 'web', ...said },
  });
}
