import { type BackendSession, DragomanError, newId } from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { type ChildAgent, type ChildEnding, startChildAgent } from '../../backend/child-agent.ts';

/** How a conversation is opened. */
export type UapOpening = { resume?: string; fork?: string; beforeMessageId?: string };

/** The agent's process, and what is known of it. */
export interface UapAgent {
  child: ChildAgent;
  /** Stands before ids of messages and blocks, so that an agent which counts from 1 can be started again. */
  scope: string;
  /** Until it is ready, an agent that goes on with a conversation may tell again what was said in it. */
  mayTellPast: boolean;
  /** Settled by who hears the agent say that it is ready. */
  ready: PromiseWithResolvers<void>;
}

/** What starting an agent takes. */
export interface OpenUapAgentOptions {
  setup: AgentSetup;
  session: BackendSession;
  opening: UapOpening;
  readySeconds: number;
  /** As soon as the process runs, before it is ready. */
  onStart: (agent: UapAgent) => void;
  /** A line of it; false when it was not understood. */
  onLine: (agent: UapAgent, line: string) => boolean;
  onGone: (agent: UapAgent, ending: ChildEnding) => void;
}

/** Starts the process and opens the conversation. Resolves when prompts can be given. */
export async function openUapAgent(options: OpenUapAgentOptions): Promise<UapAgent> {
  const { setup, session, readySeconds } = options;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {}); // It may be rejected after it was waited for.
  const child = await startChildAgent({
    command: setup.command!,
    cwd: session.cwd,
    env: setup.env,
    onLine: (line) => options.onLine(agent, line),
    onExit(ending) {
      ready.reject(new DragomanError('unavailable', `"${setup.name}" ${ending.text}`));
      options.onGone(agent, ending);
    },
    onStderr: (text) => setup.log.debug({ agent: setup.name, stderr: text }, 'the agent wrote to stderr'),
  });
  const scope = newId('blk').replace('blk_', 'uap_');
  const agent: UapAgent = { child, scope, mayTellPast: options.opening.resume !== undefined, ready };
  options.onStart(agent);
  const limit = setTimeout(() => {
    const problem = `"${setup.name}" was not ready within ${readySeconds} s; it has to write {"type":"ready"}`;
    ready.reject(new DragomanError('timed-out', problem));
  }, readySeconds * 1000);
  try {
    const { sessionId, cwd, model = setup.model, mode = setup.mode } = session;
    // That it is gone before it was told anything is known from `onExit`.
    await child
      .write(JSON.stringify({ type: 'start', sessionId, cwd, model, mode, ...options.opening }))
      .catch(() => {});
    await ready.promise;
    return agent;
  } catch (error) {
    await child.stop();
    throw error;
  } finally {
    clearTimeout(limit);
  }
}
