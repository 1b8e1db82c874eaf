import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Store } from '@dragoman/server';
import { tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AgentModel } from './agent-model.ts';
import { type AgentConfig, agentConfigShape } from './config/agent-config-shape.ts';
import { type Agent, type AgentOptions, openAgent } from './open-agent.ts';
import { testStore } from './session/session.fixture.ts';

const configSchema = z.strictObject(agentConfigShape);

/** A configuration with what the test sets and defaults for the rest. Titles are made by models where the test asks for it. */
export function agentConfig(given: z.input<typeof configSchema> = {}): AgentConfig {
  const { agent = { retry: { firstDelayMs: 1, maxDelayMs: 2 } }, ...others } = given;
  return configSchema.parse({ agent: { titles: { auto: false }, ...agent }, ...others });
}

export interface TestAgent {
  agent: Agent;
  store: Store;
  /** The project, with files. */
  root: string;
  home: string;
  folder: string;
}

/** The whole agent in a project of the running test's own, with a model that the test scripts. */
export async function testAgent(
  model: AgentModel,
  given: Partial<AgentOptions> & { files?: Readonly<Record<string, string>>; root?: string; folder?: string } = {},
): Promise<TestAgent> {
  const { files = {}, root = tempFolder(), folder = tempFolder(), ...options } = given;
  const home = tempFolder();
  for (const [path, content] of Object.entries({ '.dragoman/keep': '', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const store = options.store ?? (await testStore());
  const config = agentConfig();
  const agent = openAgent({
    store,
    folder,
    config: () => config,
    openModel: () => model,
    log: { debug: () => {}, info: () => {}, warn: () => {} },
    home,
    mode: 'yes',
    ...options,
  });
  onTestFinished(() => agent.close());
  return { agent, store, root, home, folder };
}
