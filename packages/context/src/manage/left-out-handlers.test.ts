import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { openManageDoor, realTree } from './manage-door.fixture.ts';

const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gitignore': '# made\nbuild/\n*.log\n',
  '.dragomanignore': '!kept.log\n',
  'src/main.ts': 'export const main = 1;\n',
  'src/.gitignore': 'made.ts\n',
  'src/made.ts': '',
  'build/out/a.js': '',
  'a.log': 'a\n',
  'kept.log': 'kept\n',
  '.env': 'TOKEN=1\n',
  'logo.bin': Buffer.from([0, 1]),
  'node_modules/one/index.js': '',
};

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('what is left out is told by reason, with examples, also from what was remembered', async () => {
    const door = await openManageDoor({ engine });
    const root = realTree(FILES);
    const { id: workspaceId } = await door.client.addWorkspace({ root });
    await door.settled(root);
    const groups = [
      { reason: 'git-ignored', title: 'Ignored by git', count: 3, examples: ['a.log', 'build', 'src/made.ts'] },
      { reason: 'augment-rules', title: 'Keys, certificates and version control', count: 1, examples: ['.git'] },
      { reason: 'binary', title: 'Binary files', count: 1, examples: ['logo.bin'] },
      { reason: 'defaults', title: 'Dependencies, build output and lock files', count: 1, examples: ['node_modules'] },
      { reason: 'safety-rules', title: 'May hold secrets', count: 1, examples: ['.env'] },
    ];
    const told = async () => {
      const answer = await door.client.listLeftOut({ workspaceId });
      return answer.groups.map((group) => ({ ...group, examples: group.examples.toSorted() }));
    };

    expect(await told()).toEqual(groups);
    await door.restart();
    expect(await told()).toEqual(groups);
  });
});

test('of many paths twenty are named, and all are counted', async () => {
  const door = await openManageDoor();
  const logs = Array.from({ length: 50 }, (_, number) => [`${number}.log`, '']);
  const root = realTree({ '.git/HEAD': '', '.gitignore': '*.log\n', ...Object.fromEntries(logs) });
  const { id: workspaceId } = await door.client.addWorkspace({ root });
  await door.settled(root);

  const { groups } = await door.client.listLeftOut({ workspaceId });

  expect(groups[0]).toMatchObject({ reason: 'git-ignored', count: 50 });
  expect(groups[0]!.examples).toHaveLength(20);
});

test('a path is explained layer by layer, and the layer with the last word says so', async () => {
  const door = await openManageDoor();
  const root = realTree(FILES);
  const { id: workspaceId } = await door.client.addWorkspace({ root });
  await door.settled(root);
  const deciding = async (path: string) => {
    const answer = await door.client.explainPath({ workspaceId, path });
    return [answer.path, answer.isIndexed, ...answer.layers.filter(({ decides }) => decides).map(({ says }) => says)];
  };

  expect(await door.client.explainPath({ workspaceId, path: 'a.log' })).toEqual({
    path: 'a.log',
    isIndexed: false,
    layers: [
      { layer: 'default Augment rules', says: 'No rule matches', decides: false },
      { layer: 'Dragoman safety rules', says: 'No rule matches', decides: false },
      { layer: `${root}/.gitignore`, says: 'left out: *.log in line 3', decides: true },
      { layer: 'Dragoman defaults', says: 'No rule matches', decides: false },
      { layer: `${root}/.dragomanignore`, says: 'No rule matches', decides: false },
    ],
  });
  expect(await deciding(`${root}/build/out/a.js`)).toEqual([
    'build/out/a.js',
    false,
    'left out: build/ in line 2, so the folder build is left out',
  ]);
  expect(await deciding('kept.log')).toEqual(['kept.log', true, 'taken back: !kept.log in line 1']);
  expect(await deciding('src/main.ts')).toEqual(['src/main.ts', true]);
  expect(await deciding('.env')).toEqual(['.env', false, 'left out: *.env']);
  expect(await deciding('logo.bin')).toEqual(['logo.bin', false, 'left out: Binary file']);
  expect(await deciding('src/nothing.ts')).toEqual(['src/nothing.ts', false, 'left out: No such file']);
  for (const path of ['../x', '/etc/passwd', `${root}-more/x`])
    await expect(door.client.explainPath({ workspaceId, path })).rejects.toMatchObject({
      code: 'bad-request',
      message: `path: ${JSON.stringify(path)} is not in ${root}.`,
    });
});
