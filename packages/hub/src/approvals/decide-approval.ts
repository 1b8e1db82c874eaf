import { isDeepStrictEqual } from 'node:util';
import {
  type Actor,
  type Approval,
  type ApprovalReply,
  describeReply,
  DragomanError,
  newId,
  type SuggestedRule,
} from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { checkMayActIn } from '../sessions/find-session.ts';
import { toActor } from '../sessions/to-actor.ts';
import { alwaysRules } from './ask-rules.ts';
import { type ApprovalRow, checkWaiting, findApproval, settleApproval } from './settle-approval.ts';

/** An answer as a person gives it. */
export type DecisionBody = z.output<(typeof HUB_CALLS)['decideApproval']['body']>;

/**
 * Answers an approval. The first answer counts; a later one is told who was first. Where `mayBeRepeated` is set, the same answer of the
 * same person once more is the first one: what came back of that may have been lost.
 */
export function decideApproval(
  parts: HubParts,
  caller: Caller,
  { sessionId, approvalId }: { sessionId: string; approvalId: string },
  body: DecisionBody,
  { mayBeRepeated = false } = {},
): Promise<{ decidedBy: string; decision: string }> {
  return parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    const row = await findApproval(change, approvalId);
    if (!mayBeRepeated) checkWaiting(row);
    const approval = JSON.parse(row.approval_json) as Approval;
    const rules = body.always === true ? alwaysRules(approval) : [];
    const reply = toReply(approval, body, rules.length > 0);
    const isRepeated = mayBeRepeated && isOwnAnswer(row, caller, reply);
    if (!isRepeated) checkWaiting(row);
    if (body.always === true) checkAlways(approval, reply, rules.length > 0);
    const by = toActor(caller, body.channel);
    const saved = rules.map(({ tool, pattern }) => ({ tool, pattern }));
    if (!isRepeated) {
      await saveRules(parts, caller, change, rules);
      await settleApproval(parts, change, { approvalId, reply, by, ...(saved.length > 0 && { saved }) });
    }
    const decision = describeReply(approval.options, reply, by);
    return {
      decidedBy: caller.userName,
      decision: body.always === true ? `${decision}; ${describeAlways(saved)}` : decision,
    };
  });
}

function isOwnAnswer({ by_json, reply_json }: ApprovalRow, { userId }: Caller, reply: ApprovalReply): boolean {
  if (by_json === null || reply_json === null) return false;
  const by = JSON.parse(by_json) as Actor;
  return by.type === 'user' && by.userId === userId && isDeepStrictEqual(JSON.parse(reply_json), reply);
}

/**
 * What the agent is told. A plain no is the agent's own option for it where there is one; an answer in words alone names
 * no option.
 */
function toReply(
  approval: Approval,
  { optionId, text, reject, always }: DecisionBody,
  hasRules: boolean,
): ApprovalReply {
  const said = text === undefined || text.trim() === '' ? {} : { text };
  const optionOf = (kind: Approval['options'][number]['kind']) =>
    approval.options.find((option) => option.kind === kind);
  if (reject === true) {
    if (optionId !== undefined || always === true)
      throw new DragomanError('bad-request', 'reject: it stands alone; leave "optionId" and "always" out.');
    const no = optionOf('reject_once');
    if (no !== undefined) return { type: 'selected', optionId: no.id, ...said };
    return { type: 'rejected', ...('text' in said && { feedback: said.text }) };
  }
  if (optionId !== undefined) {
    if (approval.options.some(({ id }) => id === optionId)) return { type: 'selected', optionId, ...said };
    throw new DragomanError('bad-request', `optionId: expected ${offered(approval)}.`);
  }
  if (always === true) {
    const yes = (hasRules ? optionOf('allow_once') : undefined) ?? optionOf('allow_always');
    if (yes !== undefined) return { type: 'selected', optionId: yes.id, ...said };
    const reason = hasRules ? 'the agent offers no yes' : whyNothingToSave(approval);
    throw new DragomanError('bad-request', `always: ${reason}; leave it out, and choose ${offered(approval)}.`);
  }
  if ('text' in said) {
    if (approval.allowsText === true) return { type: 'selected', optionId: '', ...said };
    throw new DragomanError('bad-request', `text: the agent takes no words alone here; choose ${offered(approval)}.`);
  }
  throw new DragomanError('bad-request', `the body: answer with "optionId" (${offered(approval)}) or "reject": true.`);
}

/** "Always" is a promise: it is refused where nothing would keep it, neither a rule here nor the agent itself. */
function checkAlways(approval: Approval, reply: ApprovalReply, hasRules: boolean): void {
  const kind = reply.type === 'selected' ? approval.options.find(({ id }) => id === reply.optionId)?.kind : undefined;
  if (kind === 'allow_always' || (kind === 'allow_once' && hasRules)) return;
  const reason = kind === 'allow_once' ? whyNothingToSave(approval) : 'it goes with a yes';
  throw new DragomanError('bad-request', `always: ${reason}; leave it out to answer this once.`);
}

function whyNothingToSave({ question }: Approval): string {
  return question === undefined
    ? 'the agent does not say what it asks in a form that rules know, so there is nothing to save'
    : 'no rule could say what this would allow, so there is nothing to save';
}

function describeAlways(saved: readonly Pick<SuggestedRule, 'tool' | 'pattern'>[]): string {
  if (saved.length === 0) return 'nothing is saved here, "always" is up to the agent itself';
  return `allowed from now on in this folder: ${saved.map(({ tool, pattern }) => `${tool} ${pattern}`).join(', ')}`;
}

async function saveRules(
  parts: HubParts,
  caller: Caller,
  { db, session }: SessionChange,
  rules: readonly Pick<SuggestedRule, 'tool' | 'pattern'>[],
): Promise<void> {
  for (const { tool, pattern } of rules)
    await db
      .insertInto('hub_rules')
      .values({
        id: newId('rul'),
        runner_id: session.runner_id,
        folder: session.folder,
        tool,
        pattern,
        by_user_id: caller.userId,
        by_name: caller.userName,
        created_at: parts.now(),
      })
      .onConflict((conflict) => conflict.columns(['runner_id', 'folder', 'tool', 'pattern']).doNothing())
      .execute();
}

function offered({ options }: Approval): string {
  if (options.length === 0) return 'no option: the agent offers none';
  return `one of ${options.map(({ id }) => JSON.stringify(id)).join(', ')}`;
}
