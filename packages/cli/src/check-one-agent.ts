import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { type AgentConfig, AgentList, PRESETS } from '@dragoman/runner';
import { checkAgent, type CheckAgentOptions, type CheckReport } from '@dragoman/runner/check';
import { agentBackends, type AgentBackendsOptions } from './agent-backends.ts';

/** Which agent is checked, and where. */
export interface CheckOneAgentOptions
  extends
    Omit<AgentBackendsOptions, 'codeSearch'>,
    Pick<CheckAgentOptions, 'prompt' | 'model' | 'signal' | 'limits' | 'report'> {
  /** Agents beside those of the configuration, or in their place, such as one that is not saved yet. */
  given: Readonly<Record<string, AgentConfig>>;
  name: string;
  /** Where it works; an empty folder that is removed afterwards, where none is named. */
  folder: string | undefined;
}

/** Checks an agent of this machine by its name, with backends of its own, so that no session notices. */
export async function checkOneAgent(options: CheckOneAgentOptions): Promise<CheckReport> {
  const { given, name, log, openStore, setup, config, calls } = options;
  const codeSearch = () =>
    Promise.reject(new DragomanError('unavailable', 'There is no index while an agent is checked.'));
  const backends = agentBackends({ openStore, setup, config, codeSearch, calls, log });
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-check-'));
  try {
    const agents = new AgentList({
      registry: backends.registry,
      configured: () => ({ ...backends.configured(), ...given }),
      presets: PRESETS,
      folder: join(folder, 'agents'),
      log,
    });
    return await checkAgent({
      ...options,
      create: () => agents.create(name),
      cwd: options.folder ?? mkdtempSync(join(folder, 'work-')),
      hide: (text) => agents.hideSecrets(text),
    });
  } finally {
    await backends.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
