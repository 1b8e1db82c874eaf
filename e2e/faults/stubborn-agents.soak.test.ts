import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSoak, runDragoman, startDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { type HubServer, serveHub } from '../hub.fixture.ts';

/** Takes no hint to go, and neither does its child. Both write down who they are. */
const STUBBORN = `trap '' TERM INT HUP
sh -c 'trap "" TERM INT HUP; echo $$ >> pids; while :; do sleep 60 & wait; done' &
echo $$ >> pids
read -r start
echo '{"type":"ready"}'
while :; do sleep 60 & wait; done
`;

const TOKEN = 'a-token-of-stubborn-agents';

/** A data folder with that agent. */
function stubbornHome(): string {
  const home = tempFolder();
  writeFileSync(join(home, 'agent.sh'), STUBBORN);
  const agents = { stubborn: { backend: 'uap', command: ['/bin/sh', join(home, 'agent.sh')] } };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ agents, runner: { name: 'here' } }));
  return home;
}

/** A session whose agent is at work, and the processes of it. */
async function startStubborn({ owner }: HubServer, runnerId?: string) {
  const folder = tempFolder();
  const { id: sessionId } = await owner.createSession({
    agent: 'stubborn',
    folder,
    prompt: { text: 'go' },
    ...(runnerId !== undefined && { runnerId }),
  });
  const pids = () =>
    existsSync(join(folder, 'pids')) ? readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number) : [];
  await expect.poll(() => pids().length).toBe(2);
  return { sessionId, left: () => pids().filter(isRunning) };
}

/** One that has ended and was not taken note of has no command line any more. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'utf8') !== '';
}

/** What ends the agent of a session. */
const ENDINGS: Record<string, (at: { server: HubServer; sessionId: string }) => Promise<unknown>> = {
  'its turn is cancelled': ({ server, sessionId }) => server.owner.cancelTurn({ sessionId }),
  'its session is closed': ({ server, sessionId }) => server.owner.closeSession({ sessionId }),
  'its session is deleted': ({ server, sessionId }) => server.owner.removeSession({ sessionId }),
  'its server is told to end with its agents': ({ server }) => server.stop('SIGINT'),
  'its server is killed and then stopped': async ({ server }) => {
    await server.stop('SIGKILL');
    await runDragoman(['stop'], { home: server.home });
  },
};

const TIMES = isSoak() ? 3 : 1;

test.runIf(process.platform === 'linux').for(Object.keys(ENDINGS))(
  'an agent that takes no hint to go is gone with its child when %s',
  async (ending) => {
    for (let time = 0; time < TIMES; time++) {
      const server = await serveHub(undefined, { home: stubbornHome() });
      const { sessionId, left } = await startStubborn(server);
      expect(left()).toHaveLength(2);

      await ENDINGS[ending]!({ server, sessionId });

      await expect.poll(left).toEqual([]);
    }
  },
);

test.runIf(process.platform === 'linux').for(['SIGTERM', 'SIGKILL'] as const)(
  'an agent that takes no hint to go is gone with its child when its runner ends by %s',
  async (signal) => {
    const server = await serveHub({}, { args: ['--token', TOKEN] });
    for (let time = 0; time < TIMES; time++) {
      const runner = startDragoman(['runner', '--hub', server.url, '--token', TOKEN], { home: stubbornHome() });
      const connected = async () =>
        (await server.owner.listRunners()).runners.filter(({ name, isConnected }) => isConnected && name === 'here');
      await expect.poll(async () => (await connected()).length).toBe(1);
      const { left } = await startStubborn(server, (await connected())[0]!.id);
      expect(left()).toHaveLength(2);

      runner.process.kill(signal);

      await runner.finished;
      await expect.poll(left).toEqual([]);
      await expect.poll(async () => (await connected()).length).toBe(0);
    }
  },
);
