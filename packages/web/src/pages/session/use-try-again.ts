import type { SessionView } from '@dragoman/protocol';
import { useCallback } from 'react';
import { post, useOutbox } from '../../outbox/outbox.ts';
import { newPromptId } from './composer/draft.ts';
import { isRunning } from './session-status.ts';

/**
 * Sends the prompt of the last turn again, with what was attached to it, or another text. Absent where nothing can be sent right
 * now, and while something waits to be sent.
 */
export function useTryAgain(
  view: SessionView,
  { mayAct, onSent }: { mayAct: boolean; onSent: () => void },
): ((text?: string) => void) | undefined {
  const sessionId = view.info.id;
  const isWaiting = useOutbox(sessionId).some(({ call }) => call === 'sendPrompt');
  const prompt = view.messages.findLast(({ by, turnId }) => by !== undefined && turnId === view.turn?.id);
  const send = useCallback(
    (text?: string) => {
      const content = (prompt?.blocks ?? []).flatMap(({ block }) =>
        block.type === 'text' || block.type === 'image' || block.type === 'file' ? [block] : [],
      );
      const said = text === undefined ? { content } : { text };
      post({
        call: 'sendPrompt',
        input: { sessionId, id: newPromptId(), delivery: 'queue', channel: 'web', ...said },
      });
      onSent();
    },
    [sessionId, prompt, onSent],
  );
  const maySend = mayAct && !isWaiting && prompt !== undefined && !isRunning(view) && view.queue.length === 0;
  return maySend ? send : undefined;
}
