import { type AgentBackend, DragomanError } from '@dragoman/protocol';
import type { Agent, AgentOptions } from '../open-agent.ts';
import { NativeBackend, type NativeChoice } from './native-backend.ts';

/** What the agent has to be opened with, so that its questions and the sessions of its tasks come to the backends. */
export type NativePorts = Required<Pick<AgentOptions, 'approver' | 'asker' | 'onSession' | 'approvalMs' | 'mode'>>;

/** How the agent is opened, and what people can choose. */
export interface NativeHostOptions {
  /** Opens the agent; called with the first session. It is closed with the host. */
  open: (ports: NativePorts) => Agent | Promise<Agent>;
  /** The names of models that can be chosen. */
  models?: (() => readonly string[]) | undefined;
  /** How long the agent itself waits for an answer. The hub has a limit of its own, which should be the shorter one. */
  approvalMs?: number | undefined;
}

/** Backends of the native agent: one for each session, over one agent. */
export interface NativeHost {
  /** A backend for one session; `chosen` is what it begins with where the session names nothing else. */
  create(chosen?: NativeChoice): AgentBackend;
  /** Ends every session that is open, and the agent. The sessions are stored and can be resumed. */
  close(): Promise<void>;
}

/** Long enough that it is always the hub whose time is up; without a hub it ends all the same. */
const APPROVAL_MS = 7 * 24 * 3_600_000;

/** Hosts the native agent for a runner. Nothing is opened before the first session. */
export function createNativeHost({ open, models = () => [], approvalMs = APPROVAL_MS }: NativeHostOptions): NativeHost {
  const backends = new Set<NativeBackend>();
  let opening: Promise<Agent> | undefined;
  let isClosed = false;

  const owner = (sessionID: string) => [...backends].find((backend) => backend.find(sessionID) !== undefined);

  const ports: NativePorts = {
    mode: 'interactive',
    approvalMs,
    approver: async (request, signal) =>
      owner(request.sessionID)?.ask(request, signal) ?? { decision: 'reject', feedback: 'The session is closed.' },
    asker: async (request, signal) => owner(request.sessionID)?.askAnswer(request, signal) ?? { type: 'cancelled' },
    onSession(runner) {
      const { parentID } = runner.state.info;
      if (parentID !== undefined) owner(parentID)?.follow(runner);
    },
  };

  /** One that could not be opened is tried again with the next session. */
  const agent = (): Promise<Agent> => {
    if (isClosed) throw new DragomanError('unavailable', 'The agent is closed; start the runner again.');
    opening ??= Promise.resolve(open(ports)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    create(chosen = {}) {
      const backend = new NativeBackend({
        chosen,
        agent: async () => agent(),
        models,
        isTaken: (sessionID) => owner(sessionID) !== undefined,
        onDisposed: (each) => backends.delete(each),
      });
      backends.add(backend);
      return backend;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([...backends].map((backend) => backend.dispose()));
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
