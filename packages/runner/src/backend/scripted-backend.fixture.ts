import type {
  AgentBackend,
  ApprovalReply,
  BackendCapabilities,
  BackendPrompt,
  BackendRevert,
  BackendSession,
  TurnEnd,
} from '@dragoman/protocol';
import { BlockWriter } from './block-writer.ts';

/** What a scripted turn has at hand. */
export interface ScriptedTurn {
  prompt: BackendPrompt;
  session: BackendSession;
  writer: BlockWriter;
  /** Fires at `cancel()`. */
  signal: AbortSignal;
  /** Asks an approval and waits for what is decided. */
  ask(approvalId: string, title: string): Promise<ApprovalReply>;
  /** The next prompt that is steered into the turn. */
  steered(): Promise<BackendPrompt>;
}

/** What the backend does at each prompt. What it returns ends the turn; nothing means `done`. */
export type TurnScript = (turn: ScriptedTurn) => Promise<TurnEnd | void> | TurnEnd | void;

/** How a scripted backend behaves beside its turns. */
export interface ScriptedOptions {
  script?: TurnScript;
  capabilities?: BackendCapabilities;
  onStart?: (session: BackendSession, how: string) => Promise<void> | void;
  onCancel?: () => Promise<void> | void;
  onRevert?: (messageId: string) => Promise<BackendRevert>;
  onDispose?: () => Promise<void> | void;
}

/** Says the prompt back, in words. */
const echo: TurnScript = ({ prompt, writer }) => {
  for (const block of prompt.content)
    if (block.type === 'text') for (const word of block.text.split(/(?<= )/)) writer.text(word);
};

/** A backend that does what a test tells it. Without a script it says the prompt back. */
export class ScriptedBackend implements AgentBackend {
  readonly capabilities: BackendCapabilities;
  readonly calls: string[] = [];
  readonly #options: ScriptedOptions;
  readonly #answers = new Map<string, (reply: ApprovalReply) => void>();
  #session: BackendSession | undefined;
  #turn: AbortController | undefined;
  #steered = Promise.withResolvers<BackendPrompt>();

  constructor(options: ScriptedOptions = {}) {
    this.#options = options;
    this.capabilities = { resume: true, fork: true, steer: true, models: true, ...options.capabilities };
  }

  async start(session: BackendSession): Promise<void> {
    await this.#open(session, 'start');
  }

  async resume(session: BackendSession, agentSessionId: string): Promise<void> {
    await this.#open(session, `resume ${agentSessionId}`);
  }

  async fork(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void> {
    await this.#open(session, `fork ${agentSessionId}${beforeMessageId === undefined ? '' : ` ${beforeMessageId}`}`);
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    const session = this.#session!;
    const writer = new BlockWriter(session.emit);
    const turn = new AbortController();
    this.#turn = turn;
    this.calls.push(`prompt ${prompt.id}`);
    try {
      const end = await (this.#options.script ?? echo)({
        prompt,
        session,
        writer,
        signal: turn.signal,
        ask: (approvalId, title) => this.#ask(approvalId, title),
        steered: () => this.#steered.promise,
      });
      return end ?? { reason: turn.signal.aborted ? 'cancelled' : 'done' };
    } finally {
      writer.closeAll();
      this.#turn = undefined;
    }
  }

  async steer(prompt: BackendPrompt): Promise<boolean> {
    if (this.#turn === undefined) return false;
    this.#steered.resolve(prompt);
    this.#steered = Promise.withResolvers();
    return true;
  }

  async cancel(): Promise<void> {
    this.calls.push('cancel');
    this.#turn?.abort();
    await this.#options.onCancel?.();
  }

  async answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    this.calls.push(`answer ${approvalId} ${reply.type}`);
    this.#answers.get(approvalId)?.(reply);
    this.#answers.delete(approvalId);
  }

  async revert(messageId: string): Promise<BackendRevert> {
    this.calls.push(`revert ${messageId}`);
    return (await this.#options.onRevert?.(messageId)) ?? { files: [] };
  }

  async setModel(model: string): Promise<void> {
    this.calls.push(`model ${model}`);
    this.#session?.emit({ type: 'agent-updated', model });
  }

  forget(agentSessionId: string): Promise<void> {
    this.calls.push(`forget ${agentSessionId}`);
    return Promise.resolve();
  }

  async dispose(): Promise<void> {
    this.calls.push('dispose');
    await this.#options.onDispose?.();
  }

  async #open(session: BackendSession, how: string): Promise<void> {
    this.#session = session;
    this.calls.push(how);
    await this.#options.onStart?.(session, how);
    session.emit({ type: 'agent-updated', agentSessionId: `agent-${session.sessionId}` });
  }

  #ask(approvalId: string, title: string): Promise<ApprovalReply> {
    const { promise, resolve } = Promise.withResolvers<ApprovalReply>();
    this.#answers.set(approvalId, resolve);
    const options = [{ id: 'yes', name: 'Yes', kind: 'allow_once' as const }];
    this.#session!.emit({ type: 'approval-asked', approval: { id: approvalId, title, options } });
    return promise;
  }
}
