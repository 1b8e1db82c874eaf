import { join } from 'node:path';
import type { AgentOffer, HubLink, NumberedCommand, RunnerHello, RunnerMessage } from '@dragoman/protocol';
import { RunnerAsks } from './asks/runner-asks.ts';
import type { AgentRegistry } from './backend/agent-registry.ts';
import { BlockWriter } from './backend/block-writer.ts';
import { AgentList } from './config/agent-list.ts';
import type { AgentConfig } from './config/agents-config.ts';
import { AllowedFolders } from './folders/allowed-folders.ts';
import { Outbox } from './outbox/outbox.ts';
import { Recorder } from './outbox/recorder.ts';
import { sendOutbox, type SendOutboxOptions } from './outbox/send-outbox.ts';
import type { AgentPreset } from './presets/agent-preset.ts';
import type { RunnerLog } from './runner-log.ts';
import type { HostLimits } from './session/hosted-agent.ts';
import { SessionHosts } from './session/session-hosts.ts';
import { withoutSecrets } from './session/without-secrets.ts';
import { SessionWorktrees } from './worktree/session-worktrees.ts';

/** What a runner is opened with. */
export interface RunnerOptions {
  /** A folder of this runner alone: its outbox, its worktrees, what backends keep. */
  folder: string;
  registry: AgentRegistry;
  /** The agents of the configuration as it is now. */
  agents: () => Readonly<Record<string, AgentConfig>>;
  /** Agents that need no configuration. */
  presets?: readonly AgentPreset[] | undefined;
  link: HubLink;
  /** The folders agents may work in, as they are configured now; none: anywhere. */
  roots: () => readonly string[];
  name: string;
  host: string;
  version: string;
  isShared: () => boolean;
  maxSessions?: (() => number) | undefined;
  idleMinutes?: (() => number) | undefined;
  log: RunnerLog;
  /** What it is called when it is opened for the first time. */
  newRunnerId?: (() => string) | undefined;
  limits?: HostLimits | undefined;
  retry?: SendOutboxOptions['retry'];
  /** How long after a full disk it is tried again. */
  diskRetryMs?: number | undefined;
  /**
   * For a runner that stands in for another process: it offers agents and answers questions, and starts no agent. It is told
   * of the first command that needs one, and carries out nothing from then on; whoever opens the folder next does.
   */
  onWork?: (() => void) | undefined;
  /** Why the other process does not take the work, to be told in a session that waits for it. */
  whyWaiting?: ((sessionId: string) => string | undefined) | undefined;
}

/** A runner at work. */
export interface Runner {
  /** What the hub knows it by. */
  readonly id: string;
  readonly isConnected: boolean;
  /** How many agents run. */
  readonly liveSessions: number;
  /** Whether an agent is at work, or something happened that the hub does not have yet. */
  readonly isBusy: boolean;
  /** Resolves when the runner was closed; rejects when the hub does not want it. Agents go on working then. */
  readonly finished: Promise<void>;
  /** Introduces itself anew, because what it offers has changed. */
  refresh(): void;
  /** Ends every agent. What the hub does not have yet stays in the outbox for the next time. */
  close(): Promise<void>;
}

/** Told in a session of which the hub lost a part: it was set back to an earlier copy. */
const HISTORY_GAP =
  'The server was restored from an earlier backup. What happened here between that backup and now is missing.';
const SWEEP_MS = 60_000;
const DISK_RETRY_MS = 5_000;
/** How long the hub has to take the last words of a runner that ends. */
const LAST_WORDS_MS = 2_000;

/** Opens a runner: it hosts agents beside the files, and answers to a hub. */
export function openRunner(options: RunnerOptions): Runner {
  return new OpenRunner(options);
}

class OpenRunner implements Runner {
  readonly finished: Promise<void>;
  readonly #options: RunnerOptions;
  readonly #outbox: Outbox;
  readonly #recorder: Recorder;
  readonly #agents: AgentList;
  readonly #folders: AllowedFolders;
  readonly #asks: RunnerAsks;
  readonly #hosts: SessionHosts;
  readonly #finish: PromiseWithResolvers<void>;
  readonly #sweep: NodeJS.Timeout;
  #sending: { stop: AbortController; done: Promise<void> } | undefined;
  #isConnected = false;
  /** What is to be told at once, because it is worse than what was told. */
  #found: readonly AgentOffer[] | undefined;
  /** Counts how often it was looked: only what the latest found is told. */
  #looks = 0;
  #isClosed = false;
  /** Work came that is left to another process. */
  #isLeaving = false;
  /** The last command that was carried out; undefined until the hub said where it stands. */
  #handled: number | undefined;

  constructor(options: RunnerOptions) {
    const { folder, registry, log } = options;
    this.#options = options;
    this.#outbox = new Outbox(join(folder, 'outbox'), log, {}, options.newRunnerId);
    this.#recorder = new Recorder({
      outbox: this.#outbox,
      log,
      retryMs: options.diskRetryMs ?? DISK_RETRY_MS,
      // The hub is told that no agent can be started. When there is room again, it sends again what was not carried out.
      onTrouble: (trouble) => {
        this.#startSending();
        return this.#hosts.abandon(trouble);
      },
      onRoom: () => this.#startSending(),
    });
    this.#agents = new AgentList({
      registry,
      log,
      configured: options.agents,
      presets: options.presets ?? [],
      folder: join(folder, 'agents'),
    });
    this.#folders = new AllowedFolders(options.roots);
    const worktrees = new SessionWorktrees(join(folder, 'worktrees'));
    this.#asks = new RunnerAsks({
      link: options.link,
      runnerId: () => this.id,
      folders: this.#folders,
      offers: async () => this.#withTrouble(await this.#agents.offers()),
      worktrees: join(folder, 'worktrees'),
      log,
    });
    this.#hosts = new SessionHosts({
      log,
      limits: options.limits,
      maxSessions: options.maxSessions ?? (() => 500),
      create: (spec) => this.#agents.create(spec.agent),
      prepare: async (spec) => {
        const place = await this.#folders.resolve(spec.folder);
        return spec.worktree === true ? worktrees.open({ ...spec, folder: place }) : { cwd: place };
      },
      cleanUp: async (spec) => {
        if (spec.worktree !== true) return;
        const { end, path } = await worktrees.remove({ ...spec, folder: await this.#folders.resolve(spec.folder) });
        if (end === 'kept') log.warn({ path }, 'a worktree of a removed session has changes in it, and is kept');
      },
      record: (sessionId, events, handled) => {
        const told = events.map((event) => withoutSecrets(event, (text) => this.#agents.hideSecrets(text)));
        return this.#recorder.record(sessionId, told, handled);
      },
    });
    this.#finish = Promise.withResolvers();
    this.finished = this.#finish.promise;
    this.finished.catch(() => {}); // For whoever asks.
    this.#sweep = setInterval(() => this.#restIdle(), SWEEP_MS);
    this.#sweep.unref();
    this.#startSending();
  }

  get id(): string {
    return this.#outbox.runnerId;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get liveSessions(): number {
    return this.#hosts.live;
  }

  get isBusy(): boolean {
    return this.#hosts.isBusy || this.#outbox.pending > 0;
  }

  refresh(): void {
    this.#found = undefined; // It was found out about what was offered before.
    this.#looks += 1;
    if (!this.#isClosed) this.#startSending();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return this.finished.catch(() => {});
    this.#isClosed = true;
    clearInterval(this.#sweep);
    this.#recorder.close();
    await this.#asks.close();
    await this.#hosts.shutDown();
    await this.#sayLastWords();
    this.#sending?.stop.abort();
    await this.#sending?.done;
    this.#outbox.close();
    this.#finish.resolve();
  }

  /** Begins to talk with the hub, anew if it did before. */
  #startSending(): void {
    const before = this.#sending;
    before?.stop.abort();
    const stop = new AbortController();
    const run = async () => {
      await before?.done;
      if (stop.signal.aborted) return;
      await sendOutbox({
        outbox: this.#outbox,
        link: this.#options.link,
        log: this.#options.log,
        signal: stop.signal,
        retry: this.#options.retry,
        hello: () => this.#hello(),
        onMessage: (message) => this.#receive(message),
        onRenewed: (sessionIds) => {
          this.#handled = undefined;
          for (const sessionId of sessionIds) this.#warn(sessionId, HISTORY_GAP);
        },
        onConnection: (isConnected) => {
          this.#isConnected = isConnected;
        },
      });
    };
    const done = run().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'the runner is not connected to a hub any more');
      this.#finish.reject(error);
    });
    this.#sending = { stop, done };
  }

  async #hello(): Promise<RunnerHello> {
    const { name, host, version, isShared } = this.#options;
    // A machine is not kept from its hub by agents that are slow to start.
    const agents = this.#found ?? (await this.#agents.offers(0));
    if (this.#found === undefined) void this.#lookAgain(agents);
    this.#found = undefined;
    return {
      id: this.id,
      name,
      host,
      version,
      isShared: isShared(),
      folders: this.#folders.roots,
      agents: this.#withTrouble(agents),
      outboxId: this.#outbox.outboxId,
    };
  }

  /** The same agents, none of which can be started while nothing can be kept. */
  #withTrouble(agents: readonly AgentOffer[]): AgentOffer[] {
    const { trouble } = this.#recorder;
    return agents.map((agent) => (trouble === undefined ? agent : { ...agent, problem: trouble }));
  }

  /** Tells anew what is offered, where it turned out meanwhile that an agent does not start. */
  async #lookAgain(told: readonly AgentOffer[]): Promise<void> {
    const look = ++this.#looks;
    const agents = await this.#agents.offers().catch(() => []); // It is asked again with the next list.
    if (look !== this.#looks) return;
    const well = new Set(told.filter(({ problem }) => problem === undefined).map(({ name }) => name));
    const isWorse = agents.some(({ name, problem }) => problem !== undefined && well.has(name));
    if (!isWorse || this.#isClosed) return;
    this.#found = agents;
    this.#startSending();
  }

  #receive(message: RunnerMessage): void {
    if (message.type === 'ask') {
      void this.#asks.take(message.askId, message.ask);
    } else if (message.type === 'ask-ended') {
      this.#asks.drop(message.askId);
    } else if (this.#isClosed || this.#recorder.trouble !== undefined || this.#leavesTo(message)) {
      // What is not carried out comes again with the next connection.
    } else if (message.type === 'sync') {
      const { handled, commanded = Infinity } = message.sync;
      const before = this.#handled ?? 0;
      // A hub that gave fewer commands than were carried out was set back: the same numbers are other commands now.
      this.#handled = commanded < before ? handled : Math.max(before, handled);
      this.#hosts.settle(message.sync.open, this.#recorder.takePastTrouble());
    } else if (message.type === 'command') {
      this.#carryOut(message.command);
    }
  }

  /** Whether this is work for another process, or comes after such. */
  #leavesTo(message: RunnerMessage): boolean {
    const { onWork, whyWaiting } = this.#options;
    if (onWork === undefined) return false;
    const waiting = needAgents(message);
    for (const sessionId of waiting) {
      const why = whyWaiting?.(sessionId);
      if (why !== undefined) this.#warn(sessionId, why);
    }
    if (waiting.length > 0 && !this.#isLeaving) {
      this.#isLeaving = true;
      onWork();
    }
    return this.#isLeaving;
  }

  #warn(sessionId: string, text: string): void {
    new BlockWriter((event) => void this.#recorder.record(sessionId, [event])).notice(text, 'warning');
  }

  #carryOut(command: NumberedCommand): void {
    if (command.number <= (this.#handled ?? 0)) return;
    try {
      this.#hosts.carryOut(command);
    } catch (error) {
      // It would come again and again, and keep every other session waiting.
      const { sessionId } = command.session;
      this.#options.log.error({ err: error, sessionId }, 'a command could not be carried out, and is left out');
      this.#recorder.record(sessionId, [], command.number);
    }
    if (this.#recorder.trouble === undefined) this.#handled = command.number;
  }

  #restIdle(): void {
    const minutes = this.#options.idleMinutes?.() ?? 60;
    void this.#hosts.restIdle(Date.now() - minutes * 60_000);
  }

  /** What ended is told at once where the hub is there; else it is told next time. */
  async #sayLastWords(): Promise<void> {
    if (!this.#isConnected) return;
    const until = Date.now() + LAST_WORDS_MS;
    while (this.#outbox.pending > 0 && this.#isConnected && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const NEEDS_AGENT: ReadonlySet<string> = new Set(['open', 'fork', 'prompt', 'steer', 'revert']);

/** The sessions that wait for an agent. */
function needAgents(message: RunnerMessage): string[] {
  if (message.type === 'sync')
    return message.sync.open.filter(({ unbegun }) => unbegun !== undefined).map(({ sessionId }) => sessionId);
  if (message.type !== 'command' || !NEEDS_AGENT.has(message.command.command.type)) return [];
  return [message.command.session.sessionId];
}
