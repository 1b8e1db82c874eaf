import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SessionRunner, SessionStore } from '@dragoman/agent';
import { createNativeHost, NATIVE_CAPABILITIES, type NativePorts } from '@dragoman/agent/backend';
import { type AgentBackend, type AgentError, DragomanError, newId, newTerminalRunnerId } from '@dragoman/protocol';
import { findRunning } from '@dragoman/server/base';
import { AgentRegistry, isRunnerIn, openRunner, type Runner, runnerIdIn } from '@dragoman/runner';
import { answerAnywhere, type TerminalAnswers } from './answer-anywhere.ts';
import { runnerFolder } from './runner-folder.ts';
import type { LocalAgent } from './open-local-agent.ts';
import { openTerminalHub, type TerminalHub } from './open-terminal-hub.ts';
import { VERSION } from './version.ts';
import { watchTurn } from './watch-turn.ts';

/** So many commands may work at once in terminals of one data folder. */
const MOST_TERMINALS = 50;
/** How long an agent of the server has to let go of a session. */
const RELEASE_MS = 10_000;
const NATIVE = 'native';

/** How the last turn ended. */
export interface RunResult {
  error: AgentError | undefined;
}

/**
 * A run as a runner of the hub, inside this process: its session is one of the hub's, live on every screen, and answered
 * from any. It goes by the store, so it makes no difference whether a server runs, or comes or goes meanwhile.
 */
export class RunInHub {
  readonly #terminal: TerminalAnswers;
  #ports: NativePorts | undefined;
  #local: LocalAgent | undefined;
  #hub: TerminalHub | undefined;
  #runner: Runner | undefined;
  #homeRunnerId = '';
  readonly #taken = new Set<string>();
  #sessionId = '';
  #backend: AgentBackend | undefined;
  #isCalledOff = false;
  #turn = Promise.withResolvers<void>();

  constructor(terminal: TerminalAnswers) {
    this.#terminal = terminal;
    this.#turn.promise.catch(() => {}); // It may fail before anybody waits for it.
  }

  /** For the agent: whoever answers first, here or elsewhere, has answered. */
  get answers(): TerminalAnswers {
    return answerAnywhere(this.#terminal, {
      ports: () => this.#ports,
      answer: (approvalId, answer) => this.#hub!.desk.answer(this.#sessionId, approvalId, answer),
      answeredBy: (approvalId) => this.#hub!.desk.answeredBy(this.#sessionId, approvalId),
    });
  }

  /** Told of every session that the agent opens. */
  onSession(runner: SessionRunner): void {
    this.#ports?.onSession?.(runner);
  }

  /** Opens the hub on the store of the agent. */
  async open(local: LocalAgent): Promise<void> {
    const { setup, log } = local;
    this.#local = local;
    const hub = (this.#hub = await openTerminalHub(local));
    const folder = join(setup.folder.path, 'runner');
    this.#homeRunnerId = runnerIdIn(join(folder, 'server'), log);
    const host = createNativeHost({
      open: (ports) => {
        this.#ports = ports;
        return local.agent;
      },
    });
    const registry = new AgentRegistry();
    registry.registerBackend(
      NATIVE,
      ({ model, mode }) => {
        const backend = (this.#backend = host.create({ model, mode }));
        return watchTurn(backend, this.#turn, () => this.#isCalledOff);
      },
      {
        title: 'Dragoman',
        capabilities: NATIVE_CAPABILITIES,
        needsNoSetup: true,
      },
    );
    this.#runner = openFree((slot) =>
      openRunner({
        folder: join(folder, `terminal-${slot}`),
        newRunnerId: newTerminalRunnerId,
        registry,
        agents: () =>
          Object.fromEntries(Object.entries(setup.config.value.agents).filter(([, { backend }]) => backend === NATIVE)),
        link: hub.link(this.#homeRunnerId),
        roots: () => [],
        name: hostname(),
        host: hostname(),
        version: VERSION,
        isShared: () => false,
        log,
      }),
    );
    while (!this.#runner.isConnected) {
      await Promise.race([this.#runner.finished, delay(5)]);
    }
  }

  /** The id that the agent knows a session by, of which people may know another. */
  async agentSessionOf(id: string): Promise<string> {
    return (await this.#hub!.desk.find(id))?.agentSessionId ?? id;
  }

  /** Takes a session of earlier from where it is; resolves when it can be opened here. */
  async claim(agentSessionId: string): Promise<void> {
    const { setup } = this.#local!;
    const isThere = findRunning(setup.folder) !== undefined || isRunnerIn(runnerFolder(setup, undefined));
    const home = { id: this.#homeRunnerId, isThere };
    await this.#hub!.desk.claim(agentSessionId, { runnerId: this.#runner!.id, home });
    this.#taken.add(agentSessionId);
    const until = Date.now() + RELEASE_MS;
    const sessions = new SessionStore(this.#local!.store);
    while (await sessions.isHeldElsewhere(agentSessionId)) {
      if (Date.now() > until) return; // Opening it tells who has it.
      await delay(50);
    }
  }

  /** Gives the prompt to the session, as anybody else would, and waits until nothing is left to do in it. */
  async prompt(
    runner: SessionRunner,
    { text, forkOf }: { text: string; forkOf: string | undefined },
    signal: AbortSignal,
  ): Promise<RunResult> {
    const { info } = runner.state;
    this.#sessionId = await this.#hub!.desk.take({
      agentSessionId: runner.id,
      agent: NATIVE,
      folder: info.cwd,
      words: text,
      forkOf,
      capabilities: NATIVE_CAPABILITIES,
      model: info.model.route || `${info.model.providerID}/${info.model.modelID}`,
      mode: info.agent,
      runnerId: this.#runner!.id,
      homeRunnerId: this.#homeRunnerId,
    });
    this.#taken.add(this.#sessionId);
    const stop = () => {
      this.#isCalledOff = true;
      void this.#backend?.cancel();
    };
    signal.addEventListener('abort', stop);
    try {
      await this.#hub!.desk.prompt(this.#sessionId, { id: newId('msg'), text });
      if (signal.aborted) stop();
      await this.#turn.promise;
      await this.#hub!.desk.idle(this.#sessionId);
      await runner.settle(); // A title that is on its way is told before nobody listens any more.
      return { error: runner.state.turn?.error };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Leaves the sessions to the server. */
  async close(): Promise<void> {
    await this.#runner?.close();
    for (const sessionId of this.#taken) await this.#hub?.desk.giveBack(sessionId, this.#homeRunnerId);
    await this.#hub?.close();
  }
}

/** The first place that no other command works in. */
function openFree(open: (slot: number) => Runner): Runner {
  for (let slot = 1; ; slot += 1) {
    try {
      return open(slot);
    } catch (error) {
      if (!(error instanceof DragomanError && error.code === 'conflict') || slot === MOST_TERMINALS) throw error;
    }
  }
}
