import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubClient } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { COUNTING_AGENT, type CountingPrompt } from './counting-agent.fixture.ts';

/** A data folder whose agent counts, with more settings. */
export function countingHome(settings: object = {}): string {
  const home = tempFolder();
  writeFileSync(join(home, 'agent.mjs'), COUNTING_AGENT);
  const agents = { counter: { backend: 'uap', command: [process.execPath, join(home, 'agent.mjs')] } };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ ...settings, agents }));
  return home;
}

/** A session of that agent with its first prompt, at the server's own machine. */
export async function startCounting(
  client: HubClient,
  prompt: CountingPrompt,
  folder: string = tempFolder(),
): Promise<string> {
  const { id } = await client.createSession({ agent: 'counter', folder, prompt: { text: JSON.stringify(prompt) } });
  return id;
}
