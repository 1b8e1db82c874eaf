/** What a button does. It is kept with its post; what travels is only which post and which button. */
export type Action =
  | { type: 'decide'; sessionId: string; approvalId: string; optionId: string; always?: true }
  | { type: 'reject'; sessionId: string; approvalId: string }
  /** Answers a question with the words that come along with the press. */
  | { type: 'answer'; sessionId: string; approvalId: string }
  /** The same as if the person had written it. */
  | { type: 'command'; text: string };
