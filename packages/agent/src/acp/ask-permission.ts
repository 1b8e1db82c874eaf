import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallContent,
} from '@agentclientprotocol/sdk';
import {
  askedAbout,
  type AskedPart,
  plainlyShown,
  type SessionState,
  shownChange,
  type ToolPart,
} from '@dragoman/protocol';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approval.ts';
import { diffContent } from './diff-content.ts';
import { encodeToolCall, textContent } from './encode-tool-call.ts';
import { fenced } from './fenced.ts';

/**
 * The question whether a call may run, for the client to ask. Everything that decides is in it: the whole command, its
 * other arguments, everything that is asked about and why, the change to the file, and what "always" would save.
 */
export function permissionRequest(
  sessionId: string,
  request: ApprovalRequest,
  part: ToolPart | undefined,
  { info }: SessionState,
): RequestPermissionRequest {
  const call = part === undefined ? undefined : encodeToolCall(part, info);
  // Some editors show the title alone.
  const [command] = askedOf(request, 'command');
  return {
    sessionId,
    toolCall: {
      ...call,
      toolCallId: call?.toolCallId ?? request.callID,
      title: command === undefined ? plainlyShown(request.title) : `${request.tool} ${command.text.trim()}`,
      status: 'pending',
      rawInput: request.input,
      content: [
        ...askedOf(request, 'command').map(({ text }) => textContent(fenced(text, 'sh'))),
        ...changeOf(request, info.root),
        ...askedOf(request, 'field').map(({ label, text }) => textContent(`${label}:\n${fenced(text, '')}`)),
        ...askedOf(request, 'subject').map(({ text, why = '' }) => textContent(`${fenced(text, '')}\n${why}`)),
        textContent(plainlyShown(request.reason)),
      ],
    },
    options: optionsFor(request),
  };
}

/** What the person chose. A question that was closed is a no. */
export function approvalAnswer({ outcome }: RequestPermissionResponse): ApprovalAnswer {
  if (outcome.outcome === 'cancelled') return { decision: 'reject' };
  switch (outcome.optionId) {
    case 'once':
    case 'always':
      return { decision: outcome.optionId };
    default:
      return { decision: 'reject' };
  }
}

function optionsFor({ always }: ApprovalRequest): PermissionOption[] {
  const patterns = always.map(({ tool, pattern }) => plainlyShown(`${tool} ${pattern}`)).join(', ');
  return [
    { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
    ...(always.length === 0
      ? []
      : [{ optionId: 'always', name: `Always allow in this project: ${patterns}`, kind: 'allow_always' as const }]),
    { optionId: 'reject', name: 'Deny', kind: 'reject_once' },
  ];
}

function askedOf(
  { title, tool, input, asked = [], diff = '', reason }: ApprovalRequest,
  type: AskedPart['type'],
): AskedPart[] {
  const diffs = diff === '' ? [] : [{ path: '', unified: diff }];
  const about = { title, call: { name: tool, input }, asked: [...asked], diffs, reason };
  return askedAbout(about).parts.filter((part) => part.type === type);
}

/** The change as it would be written. As text where a diff of an editor cannot say it: deletions, moves, hidden marks. */
function changeOf({ tool, diff }: ApprovalRequest, root: string): ToolCallContent[] {
  if (diff === undefined) return [];
  const shown = shownChange(diff);
  const { content } = diffContent(diff, root);
  const isPlain = shown === diff && content.length > 0 && tool !== 'apply-patch';
  return isPlain ? content : [textContent(fenced(shown, 'diff'))];
}
