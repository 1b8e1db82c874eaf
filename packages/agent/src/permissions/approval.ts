import type { PermissionSubject, SuggestedRule } from '@dragoman/protocol';

/** A question to a person: may this call run? */
export interface ApprovalRequest {
  id: string;
  sessionID: string;
  messageID: string;
  callID: string;
  tool: string;
  /** What is asked, in a line. */
  title: string;
  input: Readonly<Record<string, unknown>>;
  subjects: readonly PermissionSubject[];
  /** Those of the subjects that no rule allows, each with the rule that says so: they are why it is asked. */
  asked?: readonly (PermissionSubject & { reason: string })[];
  /** What the call would change, as a unified diff; absent where it changes no files, or would fail. */
  diff?: string;
  /** Why it is asked: the rule, or what the tool found out. */
  reason: string;
  /** What "always, for this project" would save. */
  always: readonly SuggestedRule[];
}

/** What the person says. */
export type ApprovalAnswer =
  | { decision: 'once' }
  | { decision: 'always' }
  | { decision: 'reject'; feedback?: string | undefined };

/** Asks a person. The signal ends the question: the turn was cancelled, or the time is up. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
