import type { HubSession } from '@dragoman/protocol';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { endOf } from '../../../api/read-end.ts';
import { lastPrompt, repeatPrompt } from '../../../outbox/repeat-prompt.ts';

/** A turn that failed early is told in few events; of a longer one the prompt may not be found, and nothing is sent. */
const LAST_EVENTS = 2000;

/** Sends the last prompt of a session that failed again. Says whether there was one to send. */
export function useTryFailedAgain(session: HubSession): UseMutationResult<boolean, Error, void> {
  return useMutation({
    mutationFn: async () => {
      const { events } = await client.readLog({ sessionId: session.id, last: LAST_EVENTS });
      const prompt = lastPrompt(endOf(session, events));
      if (prompt === undefined) return false;
      repeatPrompt(session.id, prompt);
      return true;
    },
  });
}
