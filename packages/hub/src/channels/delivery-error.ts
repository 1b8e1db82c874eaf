/** Why a post did not get through, and what that means for the next attempt. */
export type DeliveryProblem =
  /** It surely did not arrive; again after a while. */
  | { type: 'later'; afterMs?: number | undefined }
  /** It may have arrived: no answer came, or one that does not say. */
  | { type: 'uncertain' }
  /** The platform does not take this content, not even in its plainest form. */
  | { type: 'refused' }
  /** The message that was to be changed is not there any more, or cannot be changed any more. */
  | { type: 'gone' }
  /** Nothing can be written in this chat: the bot is blocked, was removed, or the chat is gone. */
  | { type: 'closed' }
  /** Nothing can be written anywhere: the token was revoked, the app is off. */
  | { type: 'revoked' };

/** A delivery that failed. The message is for people, and names no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly problem: DeliveryProblem;

  constructor(problem: DeliveryProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
