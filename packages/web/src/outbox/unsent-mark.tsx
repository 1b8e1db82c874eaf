import { Clock3 } from 'lucide-react';
import { useOutbox } from './outbox.ts';
import { outboxWords } from './outbox-words.ts';

/** Says in a list that something done in a session has not reached the server. */
export function UnsentMark({ sessionId }: { sessionId: string }) {
  const words = outboxWords.use();
  const isWaiting = useOutbox(sessionId).some(({ wasTried, refusal }) => wasTried === true || refusal !== undefined);
  return isWaiting ? <Clock3 size={12} role="img" aria-label={words.inList} className="shrink-0 text-warn" /> : null;
}
