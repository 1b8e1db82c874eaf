import type { ApprovalReply } from './approval.ts';
import type { BackendCapabilities, BackendEvent, TurnEnd } from './backend-event.ts';
import type { PromptBlock } from './content-block.ts';

/** Where and how an agent is to work. */
export interface BackendSession {
  /**
   * Files that a backend keeps can be named after it. The id of the session at the hub; a new one where an agent begins anew in
   * a session with a past, so that the log of before is not taken for this one.
   */
  sessionId: string;
  /** An absolute folder that is there. */
  cwd: string;
  /** Where a person chose it; else the agent may. */
  title?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
  /** Everything the agent does is told here, in order, also what happens between turns. */
  emit: (event: BackendEvent) => void;
}

/** A prompt with everything that belongs to it. */
export interface BackendPrompt {
  id: string;
  content: readonly PromptBlock[];
  /** The trace that it belongs to, as W3C writes it. */
  trace?: { traceparent: string; tracestate?: string | undefined } | undefined;
}

/** What a revert did. Paths are from the folder of the session. */
export interface BackendRevert {
  /** As they were before the prompt. */
  files: readonly string[];
  /** Files that stay as they are, each with the reason. */
  skipped?: readonly string[] | undefined;
}

/**
 * Drives one session of one agent, and speaks blocks. An object serves one session.
 *
 * What the agent can do beside answering is declared in `capabilities`, and nobody calls what is not: a backend that drives
 * many agents may have more methods than each of them. Methods reject with a `DragomanError` whose message tells a person what to do; an agent that wants a login rejects with `unauthenticated`
 * and the command to run on that machine.
 */
export interface AgentBackend {
  readonly capabilities: BackendCapabilities;
  /** Begins a new conversation. Resolves when prompts can be given. */
  start(session: BackendSession): Promise<void>;
  /** Goes on with a conversation of earlier, by the agent's own id of it. Nothing of it is told again. */
  resume?(session: BackendSession, agentSessionId: string): Promise<void>;
  /** Begins a conversation of its own that knows what the other one says. */
  fork?(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void>;
  /** Runs a turn. Blocks are emitted while it runs; every block is closed when this resolves. One turn at a time. */
  prompt(prompt: BackendPrompt): Promise<TurnEnd>;
  /** Adds to the running turn. False when it came too late, and a turn of its own is needed. */
  steer?(prompt: BackendPrompt): Promise<boolean>;
  /** Calls the running turn off: `prompt` resolves with `cancelled`, and questions that wait are withdrawn. */
  cancel(): Promise<void>;
  /** Passes on what was decided. An approval that waits no more is ignored. */
  answer?(approvalId: string, reply: ApprovalReply): Promise<void>;
  /**
   * Takes a prompt back with everything that followed, in files too; the next prompt goes on from before it. Between turns
   * only. The message is a prompt, by the id it was given with.
   */
  revert?(messageId: string): Promise<BackendRevert>;
  /** Deletes what the agent itself keeps of a conversation. Called on a backend without a session; it may be gone already. */
  forget?(agentSessionId: string): Promise<void>;
  setModel?(model: string): Promise<void>;
  setMode?(mode: string): Promise<void>;
  /** Ends the agent and everything it started. It may be called at any time, and more than once. */
  dispose(): Promise<void>;
}
