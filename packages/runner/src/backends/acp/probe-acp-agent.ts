import { basename } from 'node:path';
import { DragomanError, type Fault } from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { probeProgram, tryVersion } from '../../backend/probe-program.ts';
import type { StartVerdict } from '../../backend/start-verdicts.ts';
import { findAcpPreset } from '../../presets/acp-presets.ts';
import { type AcpAgent, acpAgent } from './acp-agent.ts';
import { connectAcp } from './acp-connection.ts';

/** Programs that fetch what they run, or run it elsewhere: nothing is fetched only to see whether it could be. */
const LAUNCHERS = /^(npx|npm|pnpm|pnpx|yarn|bunx|uvx|uv|pipx|docker|podman|ssh)(\.(cmd|exe))?$/i;
const HELLO_MS = 10_000;

/** Why the agent cannot be started on this machine; nothing when it can. A known one is asked for its version first. */
export async function probeAcpAgent(setup: AgentSetup): Promise<Fault | undefined> {
  const agent = acpAgent(setup);
  const { title, command, env } = agent;
  const program = command[0]!;
  const install = agent.install ?? `install it, or name the place of "${program}" in the configuration`;
  const { patienceMs } = setup;
  return probeProgram({ title, command, env, install, patienceMs }, async (cwd) => {
    if (LAUNCHERS.test(basename(program))) return undefined;
    const isKnown = findAcpPreset(setup.name, command) !== undefined;
    if (isKnown && (await tryVersion(command, env, cwd)) === undefined) return undefined;
    return tryHello(agent, setup, cwd);
  });
}

/** Starts the agent and says hello, which opens no conversation. */
async function tryHello(agent: AcpAgent, { log }: AgentSetup, cwd: string): Promise<StartVerdict> {
  const signal = AbortSignal.timeout(HELLO_MS);
  try {
    const { child } = await connectAcp({
      agent,
      cwd,
      log,
      onRequest: () => Promise.reject(new DragomanError('unavailable', 'The agent is only examined.')),
      onNotification: () => {},
      onGone: () => {},
      signal,
    });
    await child.stop();
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined; // Slow is not broken.
    return (error instanceof Error ? error.message : String(error)).replace(`${agent.title} `, '');
  }
}
