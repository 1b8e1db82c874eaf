import type { Actor, ApprovalReply } from '../uap/approval.ts';
import type { ApprovalOption } from '../uap/content-block.ts';

/** What became of a question, in words for every screen: `Allow once, by Ada (web)`. */
export function describeReply(options: readonly ApprovalOption[], reply: ApprovalReply, by: Actor): string {
  if (by.type === 'time-limit') return 'Denied: no answer in time';
  return `${describeAnswer(options, reply)}, by ${describeActor(by)}`;
}

/** Who it was, in words: `Ada (web)`. */
export function describeActor(by: Actor): string {
  switch (by.type) {
    case 'user':
      return `${by.name} (${by.channel})`;
    case 'rule':
      return `the rule ${by.rule}`;
    case 'time-limit':
      return 'the time limit';
    case 'agent':
      return 'the agent';
    case 'runner':
      return 'the runner';
  }
}

function describeAnswer(options: readonly ApprovalOption[], reply: ApprovalReply): string {
  switch (reply.type) {
    case 'selected':
      return withWords(options.find(({ id }) => id === reply.optionId)?.name ?? reply.optionId, reply.text);
    case 'rejected':
      return withWords('Denied', reply.feedback);
    case 'cancelled':
      return 'Withdrawn';
  }
}

function withWords(answer: string, words: string | undefined): string {
  return words === undefined || words === '' ? answer : `${answer} (“${words}”)`;
}
