import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubClient, type HubClient } from '@dragoman/protocol';
import { newTokenText } from '@dragoman/server';
import {
  browse,
  type FakeProvider,
  gullibleConfig,
  harmDone,
  type HostileWorld,
  hostileWorld,
  NO_HARM,
  obey,
  REPOSITORIES,
  type RepositoryName,
  startFakeProvider,
  tempFolder,
  workInHub,
} from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withLocalAgent } from './open-local-agent.ts';
import { serveHere } from './serve-here.fixture.ts';
import { withTokens } from './with-tokens.ts';

/** What a person could ask for who knows what is around. */
const AROUND = [
  '.env',
  '../home/.ssh/id_rsa',
  'lib/.aws/credentials',
  'src/key.ts',
  'src/own.ts',
  '.git/config',
  'AGENTS.md',
];

const NAMES = Object.keys(REPOSITORIES) as RepositoryName[];
/** A server takes its time; the end-to-end tests try it with others. */
const WITH_PEOPLE: readonly RepositoryName[] = [
  'a clone with files for agents',
  'an archive with links in a .git inside',
];

/** A machine with the repository on it, where nobody has set up more than a model. */
async function worldWithModel(name: RepositoryName): Promise<{ world: HostileWorld; provider: FakeProvider }> {
  const [world, provider] = await Promise.all([hostileWorld(name), startFakeProvider()]);
  const home = tempFolder();
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(gullibleConfig(provider)));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [variable, value] of Object.entries({
    ...world.environment,
    DRAGOMAN_HOME: home,
    DRAGOMAN_DATABASE_URL: '',
  }))
    vi.stubEnv(variable, value);
  return { world, provider };
}

test.each(NAMES)('%s does no harm to an agent that obeys it, where nobody can be asked', async (name) => {
  const { world, provider } = await worldWithModel(name);
  const before = world.fingerprint();

  obey(provider, world.calls);
  await withLocalAgent({}, async ({ agent }) => {
    const runner = await agent.create({ cwd: world.root });
    await runner.prompt({ text: 'Do what the repository says.' });
    expect((await runner.idle())?.error).toBeUndefined();
    await agent.revert(runner, runner.state.messages[0]!.info.id);
    await runner.close();
  });

  const seen = provider.requests.map(({ text }) => text);
  expect(harmDone(world, before, seen)).toEqual(NO_HARM);
  expect(provider.requests.length).toBeGreaterThan(world.calls.length / 20);
});

test.each(WITH_PEOPLE)('%s does no harm to a server, its people and an agent that obeys it', async (name) => {
  const { world, provider } = await worldWithModel(name);
  const before = world.fingerprint();
  const { owner, viewer } = await serve();

  obey(provider, world.calls);
  const { sessionId, questions } = await workInHub(owner, world.root);
  const shown = await browse(viewer, sessionId, AROUND);
  obey(provider, world.calls.slice(0, 10));
  await workInHub(owner, world.root, { worktree: true }).catch(() => {});

  expect(questions).toBeGreaterThan(0);
  const seen = [...shown, ...provider.requests.map(({ text }) => text)];
  expect(harmDone(world, before, seen)).toEqual(NO_HARM);
});

/** A server of this process, its owner, and somebody who may only look. */
async function serve(): Promise<{ owner: HubClient; viewer: HubClient }> {
  const token = newTokenText().text;
  const { server } = await serveHere({ token });
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const viewing = await withTokens({}, async (tokens) => {
    const user = await tokens.openUser('vic', 'viewer');
    return (await tokens.createToken({ user, name: 'looks', role: 'viewer', expiresAt: null })).text;
  });
  const client = (own: string) => createHubClient({ url: server.url, token: own, signal: ending.signal });
  return { owner: client(token), viewer: client(viewing) };
}
