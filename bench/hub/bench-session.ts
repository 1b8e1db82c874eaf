import { tmpdir } from 'node:os';
import { createHubClient, type HubClient, type LoggedHubEvent } from '@dragoman/protocol';
import type { HubProcess, RunnerProcess } from './bench-process.ts';
import { type Script, stampOf } from './scripted-agent.ts';

/** Hub, runner and the way to them. */
export interface Bench {
  hub: HubProcess;
  runner: RunnerProcess;
  client: HubClient;
}

/** The client of a hub. */
export function benchClient({ url, token }: HubProcess): HubClient {
  return createHubClient({ url, token });
}

/** Starts a session of the scripted agent; what it has to do is said with `say`. */
export async function newSession(
  { client, runner }: Pick<Bench, 'client' | 'runner'>,
  title?: string,
): Promise<string> {
  const place = { agent: 'scripted', runnerId: runner.runnerId, folder: tmpdir() };
  const { id } = await client.createSession({ ...place, ...(title !== undefined && { title }) });
  return id;
}

/** Has the agent of a session do something. */
export async function say({ client }: Pick<Bench, 'client'>, sessionId: string, script: Script): Promise<void> {
  await client.sendPrompt({ sessionId, text: JSON.stringify(script) });
}

/** What an event says of a message of the scripted agent, where it tells its beginning. */
export function stampIn({ event }: LoggedHubEvent): ReturnType<typeof stampOf> {
  if (event.type === 'block-delta') return stampOf(event.delta);
  if (event.type !== 'block-start' && event.type !== 'block-stop') return undefined;
  return event.block.type === 'text' ? stampOf(event.block.text) : undefined;
}

/** Waits for what is said to come, for a time. */
export async function within<Result>(seconds: number, what: string, wait: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${seconds} s`)), seconds * 1_000);
  });
  return Promise.race([wait, late]).finally(() => clearTimeout(timer));
}
