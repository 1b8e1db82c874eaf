import type { Actor, Approval, ApprovalReply } from '../uap/approval.ts';
import type { AgentRole } from '../uap/agent-message.ts';
import type { BackendCapabilities, Choice, Fault, TurnEnd } from '../uap/backend-event.ts';
import type { ContentBlock, ContentBlockOf } from '../uap/content-block.ts';
import type { HubPrompt, HubSessionInfo } from './hub-event.ts';

/** A block on a screen. */
export interface ShownBlock {
  id: string;
  block: ContentBlock;
  /** It is still being written; of an approval: it waits. */
  isOpen: boolean;
  /** Where in the log it was opened: blocks and messages stand in this order. */
  since: number;
  startedAt: number;
  /** When it was said in full. Absent while it is open, and where its turn ended before it did. */
  endedAt?: number;
  /** What came of a `tool_use`'s input so far, while it is open. */
  inputText?: string;
}

/** A message on a screen. */
export interface ShownMessage {
  id: string;
  role: AgentRole;
  blocks: readonly ShownBlock[];
  since: number;
  /** Who sent it, where it is a prompt. */
  by?: Actor;
  /** The turn it was begun in; absent for what an agent says between turns. */
  turnId?: string;
  /** The agent of everything above, where this says that another one took over. */
  agentBefore?: string;
}

/** A turn, running or over. */
export interface ShownTurn extends Partial<TurnEnd> {
  id: string;
  startedAt: number;
  finishedAt?: number;
  /** Its first and its last event. */
  since: number;
  until?: number;
}

/** How a call stands; `Interrupted` is for one whose turn ended without a result. */
export type CallStatus = 'Running' | 'Waiting' | 'Success' | 'Error' | 'Interrupted';

/** A call and what came of it. */
export interface ShownTool {
  status: CallStatus;
  useBlockId?: string;
  resultBlockId?: string;
  startedAt: number;
  endedAt?: number;
  /** How long of that it waited for a person. */
  waitedMs?: number;
}

/** A question and what became of it. */
export interface ShownApproval extends Approval {
  askedAt: number;
  decided?: { reply: ApprovalReply; by: Actor; at: number };
}

/** A block that a revert took out: as much as is needed to know it again, and what it cost. */
export interface TakenBlock {
  since: number;
  isEnded: boolean;
  usage?: ContentBlockOf<'usage'>;
}

/** What reverts took out. It stays out, whatever is said of it later. */
export interface TakenOut {
  /** Where it stood in the log: from the prompt up to the revert. */
  readonly spans: readonly { since: number; until: number }[];
  readonly blocks: ReadonlyMap<string, TakenBlock>;
}

/** A session at a moment: what its events add up to. Nothing in it is ever changed; what did not change is shared. */
export interface SessionView {
  readonly info: HubSessionInfo;
  readonly title: string;
  /** A person gave it its title, so those of the agent do not count. */
  readonly isNamed: boolean;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly messages: readonly ShownMessage[];
  /** By the id of the `tool_use`. */
  readonly tools: ReadonlyMap<string, ShownTool>;
  readonly approvals: readonly ShownApproval[];
  readonly queue: readonly HubPrompt[];
  /** The running turn, or the last one. */
  readonly turn: ShownTurn | undefined;
  /** Every turn, that one too. */
  readonly turns: readonly ShownTurn[];
  /** The last event that ended what was open; calls from before it that have no result are interrupted. */
  readonly closedSeq: number;
  readonly agentState: 'starting' | 'ready' | 'stopped' | 'failed';
  readonly agentError: Fault | undefined;
  readonly agentSessionId: string | undefined;
  /** Where it works, and on which branch, when it has a worktree. */
  readonly cwd: string;
  readonly branch: string | undefined;
  readonly model: string | undefined;
  readonly mode: string | undefined;
  readonly models: readonly Choice[];
  readonly modes: readonly Choice[];
  readonly commands: readonly { name: string; description?: string | undefined }[];
  readonly capabilities: BackendCapabilities;
  /** The newest plan. */
  readonly plan: ContentBlockOf<'plan'> | undefined;
  /** Everything that was used, added up, also by what was taken out; what is about the context is the newest that is shown. */
  readonly usage: Omit<ContentBlockOf<'usage'>, 'type'>;
  readonly takenOut: TakenOut;
  /** The number of the last event that is in it: where a reader goes on. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}
