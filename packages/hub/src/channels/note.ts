import type { Action } from './action.ts';

/** Something the program itself says in a chat. */
export interface Note {
  /** Markdown; what others said stands in it only escaped (`plainLine`, `fenced`). */
  text: string;
  /** Buttons, row by row. */
  buttons?: readonly (readonly { label: string; action: Action; look?: 'primary' | 'danger' }[])[];
  /** Nothing in it is of a session: it is said to people whom nobody knows, too. */
  isForAnyone?: true;
  /** The message it answers. */
  replyTo?: string | undefined;
  /** What it is about: a later note about the same takes its place. It goes behind everything else. */
  topic?: string | undefined;
  /** It is worth saying only until the agent begins with this prompt. */
  untilTaken?: { sessionId: string; promptId: string } | undefined;
}
