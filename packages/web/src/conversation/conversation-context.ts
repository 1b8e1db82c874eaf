import { createContext, useContext } from 'react';

/** What every row may need to know of the session it is in. */
export interface InConversation {
  sessionId: string;
  mayAct: boolean;
  isLive: boolean;
  onRevert: ((messageId: string) => void) | undefined;
  onFork: ((messageId: string) => void) | undefined;
  /** Sends the prompt of the last turn again, or a text that lets it go on. Absent while nothing can be sent. */
  onTryAgain: ((text?: string) => void) | undefined;
  lastTurnId: string | undefined;
  /** Whether the agent goes on where it left off after its process ended. */
  canResume: boolean;
}

export const ConversationContext = createContext<InConversation>({
  sessionId: '',
  mayAct: false,
  isLive: false,
  onRevert: undefined,
  onFork: undefined,
  onTryAgain: undefined,
  lastTurnId: undefined,
  canResume: false,
});

/** The session that a row is in. */
export function useConversation(): InConversation {
  return useContext(ConversationContext);
}
