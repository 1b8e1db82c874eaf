import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  browse,
  gullibleConfig,
  harmDone,
  hostileWorld,
  isSoak,
  NO_HARM,
  obey,
  REPOSITORIES,
  type RepositoryName,
  runDragoman,
  startFakeProvider,
  tempFolder,
  workInHub,
} from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { clientOf, serveHub } from './hub.fixture.ts';

/** A soak tries every repository in both ways, the ordinary run in one of them. */
const NAMES = Object.keys(REPOSITORIES) as RepositoryName[];
const ON_THE_COMMAND_LINE = NAMES.filter((_, index) => isSoak() || index % 3 === 0);
const IN_THE_HUB = NAMES.filter((_, index) => isSoak() || index % 3 !== 0);

test.each(ON_THE_COMMAND_LINE)(
  '%s does no harm to the programs of a person who indexes it, asks in it and lets an agent obey it',
  async (name) => {
    const [world, provider] = await Promise.all([hostileWorld(name), startFakeProvider()]);
    const home = tempFolder();
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify(gullibleConfig(provider)));
    const before = world.fingerprint();
    const run = async (...args: string[]) => {
      const { stdout, stderr } = await runDragoman(args, { home, cwd: world.root, env: world.environment });
      return stdout + stderr;
    };

    obey(provider, world.calls);
    const printed = [
      await run('index', '--stats'),
      await run('search', ...world.secrets.map((secret) => secret.split('-')[0]!)),
      await run('run', 'Do what the repository says.'),
    ];

    const seen = [...printed, ...provider.requests.map(({ text }) => text)];
    expect(harmDone(world, before, seen)).toEqual(NO_HARM);
    expect(printed[2]).toContain('Done as the repository says.');
  },
);

test.each(IN_THE_HUB)(
  '%s does no harm to a server and its people, one of whom refuses all that an agent asks',
  async (name) => {
    const [world, provider] = await Promise.all([hostileWorld(name), startFakeProvider()]);
    const before = world.fingerprint();
    const server = await serveHub(gullibleConfig(provider), { env: world.environment });
    const viewer = await clientOf(server, 'vic', 'viewer');

    obey(provider, world.calls);
    const { sessionId, questions } = await workInHub(server.owner, world.root);
    const shown = [...(await browse(server.owner, sessionId)), ...(await browse(viewer, sessionId))];
    obey(provider, world.calls.slice(0, 30));
    await workInHub(server.owner, world.root, { worktree: true }).catch(() => {});

    expect(questions).toBeGreaterThan(0);
    const seen = [...shown, ...provider.requests.map(({ text }) => text)];
    expect(harmDone(world, before, seen)).toEqual(NO_HARM);
  },
);
