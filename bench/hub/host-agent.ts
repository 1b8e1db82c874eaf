import { setTimeout as pause } from 'node:timers/promises';
import { AgentRegistry, httpLink, openRunner } from '@dragoman/runner';
import { type Play, ScriptedAgent } from './scripted-agent.ts';

/** A runner as `dragoman runner` opens it, with one agent that does what a benchmark says. Prints a line when it is connected. */
export async function hostAgent(play?: Play): Promise<void> {
  const { BENCH_HUB_URL: url, BENCH_HUB_TOKEN: token, BENCH_FOLDER: folder } = process.env;
  if (url === undefined || token === undefined || folder === undefined)
    throw new Error('This is started by a benchmark.');

  const registry = new AgentRegistry();
  registry.registerBackend('scripted', () => new ScriptedAgent(play), { needsNoSetup: true });
  const link = httpLink({ url, token });
  const say = (fields: { err?: Error }, text: string) => process.stderr.write(`${text} ${fields.err?.stack ?? ''}\n`);
  const runner = openRunner({
    folder,
    registry,
    agents: () => ({}),
    link,
    roots: () => [],
    name: 'bench',
    host: 'bench',
    version: '0',
    isShared: () => false,
    log: { debug() {}, info() {}, warn: say, error: say },
  });
  const close = async () => {
    await runner.close();
    await link.close();
  };
  process.once('SIGTERM', () => void close());
  for (let waited = 0; !runner.isConnected; waited++) {
    if (waited > 3_000) throw new Error(`The runner could not connect to ${url}.`);
    await pause(10);
  }
  process.stdout.write(`${JSON.stringify({ runnerId: runner.id })}\n`);
}
