import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { AgentConfig } from '@dragoman/runner';

/**
 * The agents of a configuration with the places of their programs spelt out: `./agent.sh` stands beside the
 * configuration, `~/agent.sh` at home. Sessions work in other folders, where such a name would mean nothing.
 */
export function placeAgents(
  agents: Readonly<Record<string, AgentConfig>>,
  configFile: string,
): Record<string, AgentConfig> {
  const folder = dirname(resolve(configFile));
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => {
      if (agent.command === undefined) return [name, agent];
      const [program, ...args] = agent.command;
      return [name, { ...agent, command: [place(program, folder), ...args] }];
    }),
  );
}

function place(program: string, folder: string): string {
  if (program.startsWith('~/')) return join(homedir(), program.slice(2));
  return program.includes('/') ? resolve(folder, program) : program;
}
