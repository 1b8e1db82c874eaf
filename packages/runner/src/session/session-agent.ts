import {
  type AgentBackend,
  type BackendEvent,
  DragomanError,
  newId,
  type RunnerEvent,
  type SessionSpec,
  suggestAlways,
} from '@dragoman/protocol';
import { BlockWriter } from '../backend/block-writer.ts';
import { toFault } from '../backend/to-fault.ts';
import type { RunnerLog } from '../runner-log.ts';
import { withinLimit } from '../time-limit.ts';
import { CallIds } from './call-ids.ts';
import { type Beginning, HostedAgent, type HostLimits } from './hosted-agent.ts';

/** What the agent of a session needs of the runner. */
export interface SessionAgentOptions {
  /** Makes the backend of the agent that the session names. */
  create: (spec: SessionSpec) => Promise<AgentBackend>;
  /** Sees to the folder the agent works in, and tells where it is. */
  prepare: (spec: SessionSpec) => Promise<{ cwd: string; branch?: string | undefined }>;
  /** Keeps what happened, all of it or nothing; false when it cannot be kept. */
  record: (events: readonly RunnerEvent[]) => boolean;
  limits: HostLimits;
  log: RunnerLog;
}

/** An agent on its way. */
interface Opening {
  hosted?: HostedAgent;
  /** It was ended before it was there. */
  isOver: boolean;
}

/**
 * The agent of a session, which comes and goes: opened when it is needed, gone on with where it can be, ended when it is
 * not needed or beyond help. Whoever asks for it while it is being opened gets the same one.
 */
export class SessionAgent {
  readonly #options: SessionAgentOptions;
  #hosted: HostedAgent | undefined;
  #opening: Opening | undefined;
  #opened: Promise<AgentBackend> | undefined;
  #hasFailed = false;
  #knowsPast = false;
  #agentSessionId: string | undefined;
  #callIds: CallIds | undefined;

  constructor(options: SessionAgentOptions) {
    this.#options = options;
  }

  /** The backend, when it can be given prompts. */
  get backend(): AgentBackend | undefined {
    return this.#hosted?.backend;
  }

  /** Whether an agent is there, or is being opened. */
  get isLive(): boolean {
    return this.#hosted !== undefined || this.#opening !== undefined;
  }

  /** Whether it could not be opened when it was last tried. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether it could be ended now and go on later as if nothing had been. */
  get canResume(): boolean {
    return this.backend?.resume !== undefined && this.#agentSessionId !== undefined;
  }

  /** Whether what was said before is known to the agent: from its own log, or because it was told. */
  get knowsPast(): boolean {
    return this.#knowsPast;
  }

  /** The agent was told what was said before. */
  notePast(): void {
    this.#knowsPast = true;
  }

  /**
   * The backend, opened first where there is none. A failure is told in the session before this rejects. With `canTell` an
   * agent that cannot resume the conversation is started anew, whatever the reason: it is told what was said.
   */
  open(spec: SessionSpec, fork?: Beginning, { canTell = false } = {}): Promise<AgentBackend> {
    if (this.#hosted !== undefined) return Promise.resolve(this.#hosted.backend);
    if (this.#opened !== undefined) return this.#opened;
    this.#agentSessionId ??= spec.agentSessionId;
    this.#hasFailed = false;
    const opening: Opening = { isOver: false };
    this.#opening = opening;
    this.#opened = this.#open(spec, fork, opening, canTell).catch((error: unknown) => {
      if (!opening.isOver) {
        this.#opening = this.#opened = undefined;
        this.#hasFailed = true;
        this.#options.record([{ type: 'agent-state', state: 'failed', error: toFault(error) }]);
      }
      throw error;
    });
    return this.#opened;
  }

  /** Tells the agent something; what goes wrong is shown in the session. True when it was told. */
  async tell(
    what: string,
    limitMs: number,
    run: (backend: AgentBackend) => Promise<void> | undefined,
  ): Promise<boolean> {
    const hosted = this.#hosted;
    if (hosted === undefined) return false;
    try {
      await withinLimit(`the agent, asked for ${what},`, limitMs, async () => run(hosted.backend));
      return true;
    } catch (error) {
      if (this.#hosted === hosted) this.#say((writer) => writer.error(toFault(error)));
      return false;
    }
  }

  /** Shows people something in the session that the agent itself does not tell. */
  notice(text: string): void {
    this.#say((writer) => writer.notice(text, 'warning'));
  }

  /** Leaves it to the hub to say which conversation goes on: after this, it may have gone on somewhere else. */
  dropPast(): void {
    this.#agentSessionId = undefined;
  }

  /** Forgets which calls of the turn still wait for a result. */
  endTurn(): void {
    this.#callIds?.endTurn();
  }

  /** Ends the agent, also one that is being opened. Resolves when it is gone. */
  async end(): Promise<void> {
    const hosted = this.#hosted ?? this.#opening?.hosted;
    if (this.#opening !== undefined) this.#opening.isOver = true;
    this.#hosted = this.#opening = this.#opened = undefined;
    await hosted?.end();
  }

  /** Deletes what the agent keeps of the session. */
  async forget(spec: SessionSpec): Promise<void> {
    const id = this.#agentSessionId ?? spec.agentSessionId;
    if (id === undefined) return;
    const backend = await this.#options.create(spec);
    try {
      await backend.forget?.(id);
    } finally {
      await backend.dispose();
    }
  }

  async #open(
    spec: SessionSpec,
    fork: Beginning | undefined,
    opening: Opening,
    canTell: boolean,
  ): Promise<AgentBackend> {
    // Where an agent works is told when it is ready, so a place that is known means that there was something before.
    const hasPast = spec.cwd !== undefined || this.#agentSessionId !== undefined;
    this.#callIds ??= new CallIds(hasPast || canTell || fork !== undefined, (toolUseId) =>
      this.#options.log.warn(
        { agent: spec.agent, toolUseId },
        'the agent uses the id of an earlier call again; such calls are renamed',
      ),
    );
    const place = await this.#options.prepare(spec);
    const host = async (beginning: (backend: AgentBackend) => Beginning) => {
      const backend = await this.#options.create(spec);
      const { limits, log } = this.#options;
      const onEvent = (event: BackendEvent) => this.#heard(event);
      const begin = beginning(backend);
      // Another machine may have a log under the name of the session, in which what happens now is missing.
      const isAnew = begin.type === 'start' && (hasPast || canTell);
      const sessionId = isAnew ? newId('ses') : spec.sessionId;
      const hosted = new HostedAgent({ backend, spec: { ...spec, sessionId }, cwd: place.cwd, onEvent, limits, log });
      opening.hosted = hosted;
      if (opening.isOver) await hosted.end();
      await hosted.open(begin);
      return { hosted, isResumed: begin.type !== 'start' };
    };
    const { hosted, isResumed } = await host((backend) => fork ?? this.#beginning(backend)).catch((error: unknown) => {
      const isForgotten = fork === undefined && error instanceof DragomanError && error.code === 'not-found';
      const mayForget = isForgotten || (canTell && !opening.isOver);
      if (!mayForget || this.#agentSessionId === undefined) throw error;
      this.#options.log.warn({ err: error }, 'the agent does not know the conversation any more');
      return host(() => ({ type: 'start' }));
    });
    this.#hosted = hosted;
    this.#knowsPast = isResumed;
    this.#opening = this.#opened = undefined;
    const branch = place.branch === undefined ? {} : { branch: place.branch };
    this.#options.record([
      { type: 'agent-state', state: 'ready', cwd: place.cwd, ...branch },
      { type: 'agent-updated', capabilities: hosted.backend.capabilities },
    ]);
    if (hasPast && !isResumed && !canTell)
      this.#say((writer) =>
        writer.notice('The agent was restarted and does not remember the conversation so far.', 'warning'),
      );
    return hosted.backend;
  }

  #beginning(backend: AgentBackend): Beginning {
    const canResume = backend.resume !== undefined && backend.capabilities.resume !== false;
    return canResume && this.#agentSessionId !== undefined
      ? { type: 'resume', agentSessionId: this.#agentSessionId }
      : { type: 'start' };
  }

  #heard(event: BackendEvent): void {
    if (event.type === 'agent-updated' && event.agentSessionId !== undefined)
      this.#agentSessionId = event.agentSessionId;
    this.#options.record([withAlways(this.#callIds?.unique(event) ?? event)]);
  }

  #say(write: (writer: BlockWriter) => void): void {
    write(new BlockWriter((event) => this.#options.record([event])));
  }
}

/** What "always" would save is told with the question, so that people see what they would agree to. */
function withAlways(event: BackendEvent): BackendEvent {
  if (event.type !== 'approval-asked') return event;
  const { question, always } = event.approval;
  if (question === undefined || always !== undefined) return event;
  return { ...event, approval: { ...event.approval, always: suggestAlways(question) } };
}
