import type { InputOf } from '../api/calls.ts';

/** What a person did, in the words of the call that tells the server. Each is done once, however often it is sent. */
export type Deed =
  | { call: 'sendPrompt'; input: InputOf<'sendPrompt'> & { id: string } }
  | { call: 'decideApproval'; input: InputOf<'decideApproval'> }
  | { call: 'withdrawPrompt'; input: InputOf<'withdrawPrompt'> };

/** Something that a person did and the server has not confirmed yet. */
export type OutboxItem = Deed & {
  /** The same for the same deed. */
  id: string;
  /** Who did it. Nobody else's login sends it. */
  userId: string;
  at: number;
  /** It was tried, and the server was not reached. */
  wasTried?: boolean | undefined;
  /** Why the server does not do it; it is not sent again by itself. */
  refusal?: { code: string; message: string } | undefined;
};

/** What a deed is known by. */
export function idOf({ call, input }: Deed): string {
  if (call === 'sendPrompt') return input.id;
  return call === 'decideApproval' ? `${input.sessionId} ${input.approvalId}` : `withdraw ${input.promptId}`;
}

/** The words in it that somebody may want to have back. */
export function wordsIn({ call, input }: Deed): string {
  return (call === 'withdrawPrompt' ? undefined : input.text) ?? '';
}

/** Whether it is worth keeping when the server refuses it. */
export function hasWords(deed: Deed): boolean {
  return deed.call === 'sendPrompt' || wordsIn(deed) !== '';
}
