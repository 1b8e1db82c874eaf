import {
  type AgentBackend,
  DragomanError,
  type Fault,
  type NumberedCommand,
  type RunnerEvent,
  type RunnerSync,
  type SessionSpec,
  type TurnEnd,
} from '@dragoman/protocol';
import type { RunnerLog } from '../runner-log.ts';
import type { HostLimits } from './hosted-agent.ts';
import { SessionHost } from './session-host.ts';

/** What the sessions of a runner need. */
export interface SessionHostsOptions {
  create: (spec: SessionSpec) => Promise<AgentBackend>;
  prepare: (spec: SessionSpec) => Promise<{ cwd: string; branch?: string | undefined }>;
  cleanUp: (spec: SessionSpec) => Promise<void>;
  /** Keeps what happened in a session, with the command it came of; false when it cannot be kept. */
  record: (sessionId: string, events: readonly RunnerEvent[], handled?: number) => boolean;
  maxSessions: () => number;
  limits?: HostLimits | undefined;
  log: RunnerLog;
}

/** The sessions that this runner knows of since it was started. */
export class SessionHosts {
  readonly #options: SessionHostsOptions;
  readonly #hosts = new Map<string, SessionHost>();

  constructor(options: SessionHostsOptions) {
    this.#options = options;
  }

  /** How many agents run. */
  get live(): number {
    let count = 0;
    for (const host of this.#hosts.values()) if (host.isLive) count += 1;
    return count;
  }

  /** Whether any of them is at work, or has work waiting. */
  get isBusy(): boolean {
    return [...this.#hosts.values()].some((host) => host.isBusy);
  }

  /** Begins to carry out a command. */
  carryOut({ number, session, command }: NumberedCommand): void {
    const { sessionId } = session;
    this.#hostOf(sessionId).carryOut(number, session, command);
    if (command.type === 'close' && command.isRemoved) this.#hosts.delete(sessionId);
  }

  /** Tells the end of what the hub believes to be going on and what nobody here works on; what never began begins now. */
  settle(open: RunnerSync['open'], error: TurnEnd['error']): void {
    for (const { sessionId, turnId, approvalIds, lastAt, unbegun } of open) {
      const host = this.#hosts.get(sessionId);
      // The hub may not have heard yet how a turn ended that this process knows of.
      const isKnown = turnId === undefined ? host?.isLive : host?.knowsTurn(turnId);
      if (isKnown === true) continue;
      if (turnId !== undefined && unbegun !== undefined) {
        this.#hostOf(sessionId).beginTurn(turnId, unbegun);
        continue;
      }
      // Nobody worked on it since the hub last heard of it.
      const endedAt = lastAt === undefined ? {} : { endedAt: lastAt };
      const end = { reason: 'interrupted', ...(error === undefined ? {} : { error }), ...endedAt } as const;
      this.#options.record(sessionId, [
        ...approvalIds.map((approvalId) => ({ type: 'approval-withdrawn', approvalId }) as const),
        ...(turnId === undefined ? [] : [{ type: 'turn-finished', turnId, ...end } as const]),
      ]);
    }
  }

  /** Ends agents that nobody used since that moment and that can go on later. */
  async restIdle(since: number): Promise<void> {
    const idle = [...this.#hosts.values()].filter((host) => host.lastUsedAt < since && host.canRest);
    await Promise.all(idle.map((host) => host.rest()));
  }

  /** Ends every agent, and tells it. */
  async shutDown(): Promise<void> {
    await this.#endAll((host) => host.shutDown());
  }

  /** Ends every agent, because nothing can be kept any more. Gives back what is to be told of it, by session. */
  abandon(error: Fault): Map<string, RunnerEvent[]> {
    const lastWords = [...this.#hosts].map(([sessionId, host]) => [sessionId, host.lastWords(error)] as const);
    void this.#endAll((host) => host.abandon());
    return new Map(lastWords.filter(([, events]) => events.length > 0));
  }

  async #endAll(end: (host: SessionHost) => Promise<void>): Promise<void> {
    const hosts = [...this.#hosts.values()];
    this.#hosts.clear();
    await Promise.all(hosts.map(end));
  }

  #hostOf(sessionId: string): SessionHost {
    let host = this.#hosts.get(sessionId);
    if (host === undefined) this.#hosts.set(sessionId, (host = this.#newHost(sessionId)));
    return host;
  }

  #newHost(sessionId: string): SessionHost {
    const { create, prepare, cleanUp, record, limits, log } = this.#options;
    const host: SessionHost = new SessionHost({
      prepare,
      cleanUp,
      limits,
      log,
      record: (events, handled) => record(sessionId, events, handled),
      create: async (spec) => {
        await this.#makeRoom();
        return create(spec);
      },
    });
    return host;
  }

  /** There is a limit to how many agents run; the one that was not used for longest makes room. */
  async #makeRoom(): Promise<void> {
    const most = this.#options.maxSessions();
    // The one that is being opened is counted too.
    while (this.live > most) {
      const resting = [...this.#hosts.values()].filter((host) => host.canRest);
      const oldest = resting.toSorted((a, b) => a.lastUsedAt - b.lastUsedAt)[0];
      if (oldest === undefined)
        throw new DragomanError(
          'unavailable',
          `${most} agents are already running on this machine, and none can be interrupted; close one, or raise runner.maxSessions`,
        );
      await oldest.rest();
    }
  }
}
