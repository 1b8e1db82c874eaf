import { type AgentBackend, type BackendEvent, DragomanError, type SessionSpec } from '@dragoman/protocol';
import type { RunnerLog } from '../runner-log.ts';
import { withinLimit } from '../time-limit.ts';
import { isBackendEvent } from './is-backend-event.ts';

/** How long a backend may take for what it is asked, beside its turns. */
export interface HostLimits {
  startMs: number;
  cancelMs: number;
  disposeMs: number;
  answerMs: number;
}

/** Long enough for an agent that is downloaded when it is first started. */
export const HOST_LIMITS: HostLimits = { startMs: 180_000, cancelMs: 10_000, disposeMs: 10_000, answerMs: 30_000 };

/** How a conversation begins. */
export type Beginning =
  | { type: 'start' }
  | { type: 'resume'; agentSessionId: string }
  | { type: 'fork'; agentSessionId: string; beforeMessageId?: string | undefined };

/** What hosting an agent needs. */
export interface HostedAgentOptions {
  backend: AgentBackend;
  spec: SessionSpec;
  cwd: string;
  onEvent: (event: BackendEvent) => void;
  limits: HostLimits;
  log: RunnerLog;
}

/**
 * One backend from its opening to its end. What it emits is looked at and passed on; once it was ended, nothing that it
 * still has to say is heard, so a backend that does not know when to stop cannot disturb the one after it.
 */
export class HostedAgent {
  readonly backend: AgentBackend;
  readonly #options: HostedAgentOptions;
  #isOver = false;
  #rubbish = 0;
  #ending: Promise<void> | undefined;

  constructor(options: HostedAgentOptions) {
    this.backend = options.backend;
    this.#options = options;
  }

  /** Opens the conversation. An agent that cannot be opened is ended before this rejects. */
  async open(beginning: Beginning): Promise<void> {
    const { limits, spec } = this.#options;
    const stopIfOver = () => {
      if (this.#isOver) throw new DragomanError('cancelled', 'the agent was ended while it was started');
    };
    try {
      stopIfOver();
      await withinLimit(`the agent "${spec.agent}"`, limits.startMs, () => this.#begin(beginning));
      stopIfOver();
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Ends it, in bounded time; what it emits from now on is not heard. */
  end(): Promise<void> {
    this.#isOver = true;
    this.#ending ??= withinLimit('the end of the agent', this.#options.limits.disposeMs, async () =>
      this.backend.dispose(),
    ).catch((error: unknown) => this.#options.log.warn({ err: error }, 'an agent could not be ended properly'));
    return this.#ending;
  }

  async #begin(beginning: Beginning): Promise<void> {
    const { spec, cwd } = this.#options;
    const session = {
      sessionId: spec.sessionId,
      cwd,
      title: spec.title,
      model: spec.model,
      mode: spec.mode,
      emit: (event: BackendEvent) => this.#emit(event),
    };
    const { backend } = this;
    if (beginning.type === 'start') return backend.start(session);
    if (beginning.type === 'resume' && backend.resume !== undefined)
      return backend.resume(session, beginning.agentSessionId);
    if (beginning.type === 'fork' && backend.fork !== undefined)
      return backend.fork(session, beginning.agentSessionId, beginning.beforeMessageId);
    throw new DragomanError('bad-request', `the agent "${spec.agent}" cannot ${beginning.type} a conversation`);
  }

  #emit(event: BackendEvent): void {
    if (this.#isOver) return;
    if (isBackendEvent(event)) return this.#options.onEvent(event);
    this.#rubbish += 1;
    if (this.#rubbish <= 3)
      this.#options.log.warn({ agent: this.#options.spec.agent }, 'an agent emitted what is no event; it is left out');
  }
}
