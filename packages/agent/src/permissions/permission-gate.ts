import {
  type CompiledPermissions,
  describeToolCall,
  newId,
  PERMISSION_LAYERS,
  type PermissionExplanation,
  type PermissionQuestion,
  type PermissionRule,
  type PermissionSubject,
} from '@dragoman/protocol';
import { isSecretFile } from '@dragoman/protocol/secrets';
import type { Session } from '../session/session.ts';
import type { Permit } from '../tools/run-tool-call.ts';
import { ToolError } from '../tools/tool.ts';
import { withTimeLimit } from '../turn/time-limit.ts';
import type { ApprovalRequest, Approver } from './approval.ts';
import { type AskMode, decideCall } from './decide-call.ts';
import { previewCall } from './preview-call.ts';

const MAX_CHARS = 200_000;
const MAX_SUBJECTS = 1_000;

/** Whose calls are decided, by which rules, and who is asked. */
export interface PermissionGateOptions {
  session: Session;
  permissions: () => Promise<CompiledPermissions>;
  mode: AskMode;
  /** Who is asked; without one, what would be asked is denied. */
  approver: Approver | undefined;
  /** Saves what a person allowed for good. */
  remember: (rules: ApprovalRequest['always']) => Promise<void>;
  approvalMs: number;
  now: () => number;
}

/**
 * Decides by the rules, and asks a person where they say so. A call that waits for an answer is in a state of its own; a
 * no becomes the result of the call, with what the person said.
 */
export function permissionGate(options: PermissionGateOptions): Permit {
  const { session, mode, approver, remember, approvalMs, now } = options;
  return async ({ tool, subjects, part, reason, isPermitted = () => false, abort }) => {
    const question: PermissionQuestion = { tool: tool.permission ?? tool.id, subjects };
    const canAsk = approver !== undefined && mode === 'interactive';
    const permissions = await options.permissions();
    const explained = permissions.explain(question);
    const askMode = mode === 'interactive' && !canAsk ? 'headless' : mode;
    const decision = decideCall(question, permissions, askMode, explained);
    if (decision.action === 'allow') return explained.action === 'allow' ? { byDefault: byDefault(explained) } : {};
    if (decision.action === 'deny')
      throw new ToolError(decision.message, {
        metadata: { denied: true, ...(explained.action === 'ask' ? { nobodyToAsk: true } : {}) },
      });
    const touched = subjects.filter(({ deniedAs }) => deniedAs === undefined);
    if (touched.length > 0 && isPermitted(touched)) return;
    const preview = subjects.some(isPrivate) ? undefined : await previewCall(tool, part, session, abort);
    const { title, description } = describeToolCall(tool.id, part.state.input);
    const plain: ApprovalRequest = {
      id: newId('apr'),
      sessionID: session.id,
      messageID: part.messageID,
      callID: part.callID,
      tool: tool.id,
      title: description === undefined ? title : `${title} ${description}`,
      input: part.state.input,
      subjects: touched,
      asked: explained.subjects.flatMap(({ action, subject, reason: why }) =>
        action === 'allow' || subject === undefined ? [] : [{ ...subject, reason: why }],
      ),
      reason: reason ?? decision.reason,
      always: decision.always,
    };
    const { diff = '', digest } = preview ?? {};
    const whole = { ...plain, diff };
    const isShown = diff !== '' && isShort(whole);
    const request = isShown ? whole : plain;
    noteWaiting(session, request, part.id, now());
    const answer = await withTimeLimit((signal) => approver!(request, signal), {
      limitMs: approvalMs,
      signal: abort,
      graceMs: 0,
      expired: () =>
        new ToolError(
          `Nobody answered within ${Math.round(approvalMs / 1000)} s whether this may run, so it was not run.`,
        ),
    });
    if (answer.decision === 'always') await remember(decision.always);
    if (answer.decision === 'reject') {
      const said = answer.feedback === undefined || answer.feedback === '' ? '' : ` They say: ${answer.feedback}`;
      throw new ToolError(`The user does not want this call to run.${said}`, { metadata: { rejected: true } });
    }
    return { approved: { digest, isShown } };
  };
}

/**
 * Whether a question is short enough for every place to show all of it. A hub keeps of a longer one no more than which call
 * it is about: then people see the arguments of that, with or without a diff.
 */
function isShort(request: ApprovalRequest): boolean {
  return request.subjects.length <= MAX_SUBJECTS && JSON.stringify(request).length <= MAX_CHARS;
}

/**
 * Whether a file is not the project's, or made to hold secrets: what stands in it is not shown before somebody has allowed
 * that, for a question goes to everybody who may see the session.
 */
function isPrivate({ kind, value }: PermissionSubject): boolean {
  return kind === 'path' && (/^(\/|~|\.\.\/|[a-z]:)/i.test(value) || isSecretFile(value));
}

/**
 * What a default allows. A rule with wildcards takes nothing of that away: who wrote it did not look at this call, and what
 * a default allows works all the same.
 */
function byDefault({ subjects }: PermissionExplanation): PermissionSubject[] {
  const isDefault = ({ layer, action }: PermissionRule) => layer === PERMISSION_LAYERS.defaults && action === 'allow';
  const areAll = subjects.every(({ matches }) => matches.some(isDefault));
  return subjects.flatMap(({ subject, rule }) => {
    if (subject === undefined || rule === undefined) return [];
    return isDefault(rule) || (areAll && /[*?]/.test(rule.pattern)) ? [subject] : [];
  });
}

/** A call that already runs stays so; one that has not begun waits. */
function noteWaiting(session: Session, request: ApprovalRequest, partID: string, at: number): void {
  const message = session.state.messages.findLast(({ info }) => info.id === request.messageID);
  const part = message?.parts.find(({ id }) => id === partID);
  if (part?.type !== 'tool') return;
  const { id: approvalID, messageID, title, reason } = request;
  if (part.state.status === 'pending') {
    session.append({
      type: 'tool-state',
      messageID,
      partID,
      state: {
        status: 'awaiting-approval',
        input: part.state.input,
        approvalID,
        title,
        metadata: { reason },
        time: { asked: at },
      },
    });
  } else {
    session.append({ type: 'tool-metadata', messageID, partID, metadata: { approvalID, reason } });
  }
}
