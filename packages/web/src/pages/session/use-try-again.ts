import type { SessionView } from '@dragoman/protocol';
import { useCallback } from 'react';
import { lastPrompt, repeatPrompt } from '../../outbox/repeat-prompt.ts';

/**
 * Sends the prompt of the last turn again, with what was attached to it, or another text. Absent where nothing can be sent right
 * now.
 */
export function useTryAgain(
  view: SessionView,
  { mayAct, onSent }: { mayAct: boolean; onSent: () => void },
): ((text?: string) => void) | undefined {
  const sessionId = view.info.id;
  const prompt = lastPrompt(view);
  const send = useCallback(
    (text?: string) => {
      repeatPrompt(sessionId, prompt, text);
      onSent();
    },
    [sessionId, prompt, onSent],
  );
  const maySend = mayAct && prompt !== undefined;
  return maySend ? send : undefined;
}
