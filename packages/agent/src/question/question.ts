/** What a call asks a person while it runs: which answer is right? */
export interface Question {
  /** What is asked, in a line. */
  title: string;
  /** Who asks, and what an answer may be. */
  reason: string;
  options: readonly { id: string; name: string }[];
  /** An answer in words is taken too. */
  takesText: boolean;
}

/** What the person says; `cancelled` where nobody said anything. */
export type QuestionAnswer =
  | { type: 'chosen'; optionId: string }
  | { type: 'text'; text: string }
  | { type: 'declined' }
  | { type: 'cancelled' };

/** A question with the call that it belongs to. */
export interface QuestionRequest extends Question {
  id: string;
  sessionID: string;
  messageID: string;
  callID: string;
}

/** Asks a person. The signal ends the question: the turn was cancelled, or the time is up. */
export type Asker = (request: QuestionRequest, signal: AbortSignal) => Promise<QuestionAnswer>;
