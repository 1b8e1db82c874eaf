import {
  type AgentBackend,
  type AgentOffer,
  type BackendCapabilities,
  DragomanError,
  type Fault,
} from '@dragoman/protocol';
import type { RunnerLog } from '../runner-log.ts';

/** An agent as it is set up on this machine, for the backend that drives it. */
export interface AgentSetup {
  /** Its name in the configuration, which people choose it by. */
  name: string;
  /** The kind of backend that drives it. */
  kind: string;
  title?: string | undefined;
  /** The program and its arguments, where the configuration names one. */
  command?: readonly string[] | undefined;
  /** Added to the environment of the agent. */
  env: Readonly<Record<string, string>>;
  model?: string | undefined;
  mode?: string | undefined;
  /** What else the configuration says, as the backend's own shape reads it. */
  options: Readonly<Record<string, unknown>>;
  /** How long a look whether it starts may take, in milliseconds; what takes longer is told with the next look. */
  patienceMs?: number | undefined;
  /** A folder of the backend's own on this machine, for what it has to keep. It may not be there yet. */
  folder: string;
  log: RunnerLog;
}

/** What is known of a kind of backend before a session of it is started. */
export interface AboutBackend {
  title?: string;
  /** What is offered before an agent of this kind runs; a running one tells its own. */
  capabilities?: BackendCapabilities;
  /** Whether sessions can be started by the name of the kind alone. It is offered to people then. */
  needsNoSetup?: boolean;
  /** It is offered before all others. */
  comesFirst?: boolean;
  /** What can be chosen before it runs. */
  choices?: NonNullable<AgentOffer['choices']>;
  /** What it uses where nothing is chosen. */
  usual?: (setup: AgentSetup) => NonNullable<AgentOffer['usual']>;
  /** Why an agent cannot be started on this machine, and what to do; nothing when it can. Answers soon, and fetches nothing. */
  probe?: (setup: AgentSetup) => Promise<Fault | undefined>;
}

/** Makes the backend of one session; it may load what it needs first. */
export type CreateBackend = (setup: AgentSetup) => AgentBackend | Promise<AgentBackend>;

/**
 * The kinds of agents that can be started here. A kind is one call:
 *
 *     registry.registerBackend('ollama', () => new OllamaBackend());
 *
 * Nothing else in the program has a list of kinds.
 */
export class AgentRegistry {
  readonly #kinds = new Map<string, { create: CreateBackend; about: AboutBackend }>();

  /** Adds a kind. A name that is taken is refused. */
  registerBackend(kind: string, create: CreateBackend, about: AboutBackend = {}): void {
    if (!/^[a-z0-9][\w.-]{0,63}$/i.test(kind))
      throw new DragomanError(
        'bad-request',
        `"${kind}" is no name for a backend; use letters, digits, "-", "_" and "."`,
      );
    if (this.#kinds.has(kind)) throw new DragomanError('conflict', `a backend named "${kind}" is registered already`);
    this.#kinds.set(kind, { create, about });
  }

  /** The backend for a new session of this agent. */
  async create(setup: AgentSetup): Promise<AgentBackend> {
    return this.#find(setup.kind).create(setup);
  }

  /** What is known of a kind before it is started. */
  about(kind: string): AboutBackend {
    return this.#find(kind).about;
  }

  has(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** Every kind that is registered, by name. */
  kinds(): string[] {
    return [...this.#kinds.keys()].toSorted();
  }

  #find(kind: string) {
    const found = this.#kinds.get(kind);
    if (found !== undefined) return found;
    const kinds = this.kinds();
    const list = kinds.length === 0 ? 'none is registered' : `registered are: ${kinds.join(', ')}`;
    throw new DragomanError('not-found', `there is no backend named "${kind}"; ${list}`);
  }
}
