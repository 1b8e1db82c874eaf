import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentBackend,
  type BackendPrompt,
  type BackendSession,
  type HubClient,
  type HubRunner,
  newId,
  type TurnEnd,
} from '@dragoman/protocol';
import { AgentRegistry, httpLink, openRunner } from '@dragoman/runner';
import { freePort, startDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { cutPower } from './agents-process.fixture.ts';
import { type HubServer, projectWith, serveHub, toldBy, turnsOver, viewUntil } from './hub.fixture.ts';

/** Answers in two halves; between them it waits for a file. */
const PATIENT = `#!/bin/sh
read -r question
echo "思考: $question"
echo "回答: the first half"
touch "begun-$question"
while [ ! -e "go-$question" ]; do sleep 0.05; done
echo "and the second"
touch "ended-$question"
`;

test('a runner in a process of its own carries on while the hub is down, and does what was asked while it was away itself [UAP-02, UAP-03, UAP-04]', async () => {
  const [hubHome, port] = [tempFolder(), String(await freePort())];
  const token = 'A-TOKEN-THAT-STAYS-THE-SAME';
  const serve = () => serveHub({}, { home: hubHome, args: ['--port', port, '--token', token] });
  const home = projectWith({
    'agent.sh': PATIENT,
    'dragoman.json': JSON.stringify({ agents: { patient: { backend: 'text', command: ['./agent.sh'] } } }),
  });
  const folder = tempFolder();
  const startRunner = (url: string) =>
    startDragoman(['runner', '--hub', url, '--name', 'second'], { home, env: { DRAGOMAN_TOKEN: token } });

  const first = await serve();
  const runner = startRunner(first.url);
  const { id: runnerId, agents } = await connected(first.owner, 'second');
  expect(agents.map(({ name }) => name)).toContain('patient');
  const { id: sessionId } = await first.owner.createSession({
    agent: 'patient',
    runnerId,
    folder,
    prompt: { text: 'one' },
  });
  await viewUntil(first.owner, sessionId, (view) => toldBy(view).includes('text the first half'));
  await first.owner.sendPrompt({ sessionId, text: 'two' });

  // The hub is gone in the middle of the answer; the agent goes on.
  await first.stop('SIGKILL');
  writeFileSync(join(folder, 'go-one'), '');
  await expect.poll(() => existsSync(join(folder, 'ended-one')), { timeout: 60_000 }).toBe(true);
  const second = await serve();
  const view = await viewUntil(second.owner, sessionId, ({ turns }) => turns.length === 2);
  expect(toldBy(view).slice(0, 3)).toEqual(['text one', 'thinking one', 'text the first half\nand the second']);
  expect(view.turns[0]).toMatchObject({ reason: 'done' });
  writeFileSync(join(folder, 'go-two'), '');
  await turnsOver(second.owner, sessionId, 2);

  // The runner is gone; what it is asked meanwhile is kept for it.
  runner.process.kill('SIGKILL');
  await runner.finished;
  await expect
    .poll(async () => (await second.owner.getSession({ sessionId })).isOnline, { timeout: 60_000 })
    .toBe(false);
  expect(await second.owner.sendPrompt({ sessionId, text: 'three' })).toMatchObject({ isNew: true, delivery: 'queue' });
  expect(await second.owner.getSession({ sessionId })).toMatchObject({ queued: 1 });
  writeFileSync(join(folder, 'go-three'), '');
  const again = startRunner(second.url);
  const done = await turnsOver(second.owner, sessionId, 3);
  expect(toldBy(done).slice(-4)).toEqual([
    'text three',
    'notice',
    'thinking three',
    'text the first half\nand the second',
  ]);
  expect(done.turns.map(({ reason }) => reason)).toEqual(['done', 'done', 'done']);

  // The same machine as before, by the same name; it ends when it is told to.
  expect((await second.owner.listRunners()).runners.map(({ name, id }) => [name, id])).toContainEqual([
    'second',
    runnerId,
  ]);
  again.process.kill('SIGTERM');
  expect(await again.finished).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^Connecting to .*\nConnected to http:\/\/127\.0\.0\.1:\d+ as "second"\.\nAgents: native, patient, /,
    ) as string,
  });
});

/** Ready once there is a file for it; then it says how often it was given a prompt. */
const SLOW_TO_START = `#!/bin/sh
read -r start
touch "$0.started"
while [ ! -e "$0.go" ]; do sleep 0.05; done
echo '{"type":"ready"}'
while read -r prompt; do
  echo given >> "$0.given"
  echo '{"role":"assistant","content":[{"type":"text","text":"Begun at last."}]}'
  echo '{"type":"turn-finished"}'
done
`;

test.each([
  ['a power cut', cutPower],
  ['Ctrl-C', (server: HubServer) => server.stop('SIGINT')],
])('a turn whose agent was not ready at %s begins with the next start of the server, once [UAP-02]', async (_, end) => {
  const home = projectWith({ 'agent.sh': SLOW_TO_START });
  const agents = { slow: { backend: 'uap', command: ['./agent.sh'] } };
  const first = await serveHub({ agents }, { home });
  const { id } = await first.owner.createSession({ agent: 'slow', folder: tempFolder(), prompt: { text: 'go' } });
  const started = join(home, 'agent.sh.started');
  await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
  await end(first);
  rmSync(started);

  // Once more in the same moment; nobody asks the server for anything.
  const second = await serveHub(undefined, { home });
  await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
  await end(second);
  writeFileSync(join(home, 'agent.sh.go'), '');
  const third = await serveHub(undefined, { home });
  const view = await turnsOver(third.owner, id);

  expect(toldBy(view)).toEqual(['text go', 'text Begun at last.']);
  expect(view.turns.map(({ reason }) => reason)).toEqual(['done']);
  expect(readFileSync(join(home, 'agent.sh.given'), 'utf8')).toBe('given\n');
});

test('a kind of agent that nobody has heard of is one call away from its first session [UAP-05, UAP-17, UAP-25]', async () => {
  const { owner, url, token } = await serveHub({});
  const registry = new AgentRegistry();
  registry.registerBackend('ollama-like', () => new ShoutingBackend(), { needsNoSetup: true });
  const link = httpLink({ url, token });
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const runner = openRunner({
    folder: tempFolder(),
    registry,
    agents: () => ({}),
    link,
    roots: () => [],
    name: 'of my own',
    host: 'here',
    version: '1',
    isShared: () => false,
    log: silent,
  });
  onTestFinished(async () => {
    await runner.close();
    await link.close();
  });

  expect((await connected(owner, 'of my own')).agents).toEqual([
    { name: 'ollama-like', backend: 'ollama-like', capabilities: {} },
  ]);
  const { id: sessionId } = await owner.createSession({
    agent: 'ollama-like',
    runnerId: runner.id,
    folder: tempFolder(),
    prompt: { text: 'is anybody there?' },
  });

  expect(toldBy(await turnsOver(owner, sessionId))).toEqual(['text is anybody there?', 'text IS ANYBODY THERE?']);
  await expect(
    owner.createSession({ agent: 'llama', runnerId: runner.id, folder: tempFolder() }),
  ).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringContaining('has no agent "llama"; it offers: ollama-like') as string,
  });
});

/** All that an agent takes. */
class ShoutingBackend implements AgentBackend {
  readonly capabilities = {};
  #session: BackendSession | undefined;

  async start(session: BackendSession): Promise<void> {
    this.#session = session;
  }

  async prompt({ content }: BackendPrompt): Promise<TurnEnd> {
    const text = content.map((block) => (block.type === 'text' ? block.text.toUpperCase() : '')).join('');
    const place = { messageId: newId('msg'), role: 'assistant', blockId: newId('blk') } as const;
    this.#session!.emit({ type: 'block-stop', ...place, block: { type: 'text', text } });
    return { reason: 'done' };
  }

  async cancel(): Promise<void> {}

  async dispose(): Promise<void> {}
}

/** The machine of that name, once it is there. */
async function connected(client: HubClient, name: string): Promise<HubRunner> {
  let found: HubRunner | undefined;
  const look = async () => {
    found = (await client.listRunners()).runners.find((one) => one.name === name && one.isConnected);
    return found !== undefined;
  };
  await expect.poll(look, { timeout: 60_000 }).toBe(true);
  return found!;
}
