import type { Approval, ApprovalOption, ApprovalReply } from '@dragoman/protocol';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approval.ts';
import type { QuestionAnswer, QuestionRequest } from '../question/question.ts';
import type { CallPlace } from '../tools/shown-call.ts';
import { splitDiff } from './split-diff.ts';

/**
 * A question of the agent, for people anywhere. The rules have been asked already, and "always" is saved by the agent, so
 * what it would save stands in the name of that option.
 */
export function encodeApproval(
  request: ApprovalRequest,
  { title, toolUseId, place }: { title: string; toolUseId: string | undefined; place: CallPlace },
): Approval {
  const diffs = splitDiff(request.diff ?? '', place);
  const asked = request.asked?.map(({ kind, value, reason }) => ({ kind, value, reason }));
  return {
    id: request.id,
    title,
    options: optionsFor(request),
    ...(toolUseId === undefined ? {} : { toolUseId }),
    call: { name: request.tool, input: request.input },
    ...(asked === undefined ? {} : { asked }),
    reason: request.reason,
    ...(diffs.length === 0 ? {} : { diffs }),
    allowsText: true,
  };
}

/** What a call asks while it runs, for people anywhere: a choice, or words. */
export function encodeQuestion({ id, title, reason, options, takesText }: QuestionRequest): Approval {
  return {
    id,
    title,
    options: options.map((option) => ({ ...option, kind: 'answer' })),
    reason,
    allowsText: takesText,
  };
}

/** What a person said to it. Where nobody did in time, it was cancelled. */
export function decodeAnswer(reply: ApprovalReply, { options }: Pick<QuestionRequest, 'options'>): QuestionAnswer {
  switch (reply.type) {
    case 'selected':
      if (options.some(({ id }) => id === reply.optionId)) return { type: 'chosen', optionId: reply.optionId };
      return reply.text === undefined ? { type: 'declined' } : { type: 'text', text: reply.text };
    case 'rejected':
      return { type: reply.isLate === true ? 'cancelled' : 'declined' };
    case 'cancelled':
      return { type: 'cancelled' };
  }
}

/** What was decided. Words that come with a no are for the model; a question that was closed is a no. */
export function decodeReply(reply: ApprovalReply): ApprovalAnswer {
  switch (reply.type) {
    case 'selected':
      return reply.optionId === 'once' || reply.optionId === 'always'
        ? { decision: reply.optionId }
        : { decision: 'reject', feedback: reply.text };
    case 'rejected':
      return { decision: 'reject', feedback: reply.feedback };
    case 'cancelled':
      return { decision: 'reject' };
  }
}

function optionsFor({ always }: ApprovalRequest): ApprovalOption[] {
  const patterns = always.map(({ tool, pattern }) => `${tool} ${pattern}`).join(', ');
  return [
    { id: 'once', name: 'Allow once', kind: 'allow_once' },
    ...(always.length === 0
      ? []
      : [{ id: 'always', name: `Always allow in this project: ${patterns}`, kind: 'allow_always' as const }]),
    { id: 'reject', name: 'Deny', kind: 'reject_once' },
  ];
}
