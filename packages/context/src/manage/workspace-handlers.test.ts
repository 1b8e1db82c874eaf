import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { CONTEXT_ROUTES } from '@dragoman/protocol/routes';
import { STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { WorkspaceStore } from '../sync/workspace-store.ts';
import type { WorkspaceTables } from '../sync/workspace-tables.ts';
import { openManageDoor, realTree, removeFolder, writeIn } from './manage-door.fixture.ts';

const FILES = {
  'src/cache.ts': 'export function evictOldest() {\n  return 8;\n}\n',
  'src/server.ts': "import { evictOldest } from './cache.ts';\nexport const serve = () => evictOldest();\n",
  'logo.bin': Buffer.from([0, 1, 2]),
};

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a folder is added, indexed in the background and listed; after a restart it is idle until it is asked about', async () => {
    const door = await openManageDoor({ engine });
    const root = realTree(FILES);
    const name = root.split('/').at(-1)!;

    const added = await door.client.addWorkspace({ root: `${root}/` });
    expect(added).toEqual({
      id: expect.stringMatching(/^wsp_/) as string,
      name,
      root,
      state: 'scanning',
      files: 0,
      updatedAt: expect.any(Number) as number,
      ...(engine === 'postgres' && { machine: hostname() }),
    });
    expect(await door.settled(root)).toMatchObject({ id: added.id, state: 'ready', files: 2 });

    await door.restart();
    expect(await door.client.listWorkspaces()).toMatchObject({
      workspaces: [{ id: added.id, state: 'idle', files: 2 }],
    });
    expect(await door.client.listWorkspaces()).toMatchObject({ workspaces: [{ state: 'idle' }] });
    await door.client.listLeftOut({ workspaceId: added.id });
    expect(await door.client.listWorkspaces()).toMatchObject({ workspaces: [{ state: 'idle', files: 2 }] });
    await door.client.searchCode({ workspaceId: added.id, question: 'evict' });
    expect(await door.client.listWorkspaces()).toMatchObject({ workspaces: [{ state: 'ready' }] });
  });

  test('a workspace is removed with all that only it had, and its files stay', async () => {
    const door = await openManageDoor({ engine });
    const root = realTree(FILES);
    const { id } = await door.client.addWorkspace({ root });
    await door.settled(root);

    expect(await door.client.removeWorkspace({ workspaceId: id })).toEqual({});

    expect(await door.client.listWorkspaces()).toEqual({ workspaces: [] });
    expect(await door.context().engine.blobs.stats()).toMatchObject({ blobs: 0 });
    await expect(door.client.removeWorkspace({ workspaceId: id })).rejects.toMatchObject({ code: 'not-found' });
    const again = await door.client.addWorkspace({ root });
    expect(again.id).not.toBe(id);
    expect(await door.settled(root)).toMatchObject({ state: 'ready', files: 2 });
  });

  test('what somebody else has indexed is not listed and not found, whatever is asked', async () => {
    const door = await openManageDoor({ engine });
    const root = realTree(FILES);
    const { id: workspaceId } = await door.client.addWorkspace({ root });
    await door.settled(root);
    const { client } = await door.person('max', 'admin');

    expect(await client.listWorkspaces()).toEqual({ workspaces: [] });
    for (const ask of [
      () => client.removeWorkspace({ workspaceId }),
      () => client.refreshWorkspace({ workspaceId }),
      () => client.listLeftOut({ workspaceId }),
      () => client.explainPath({ workspaceId, path: 'src/cache.ts' }),
      () => client.searchCode({ workspaceId, question: 'evict' }),
      () => client.readCode({ workspaceId, path: 'src/cache.ts' }),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: 'not-found',
        message: `There is no workspace "${workspaceId}" of yours.`,
      });
    const theirs = await client.addWorkspace({ root });
    expect(theirs.id).not.toBe(workspaceId);
  });
});

/** A workspace that a server on another machine has indexed; its folder is not here. */
async function openElsewhere(engine: (typeof STORE_ENGINES)[number]) {
  const door = await openManageDoor({ engine });
  const root = realTree(FILES);
  const { id } = await door.client.addWorkspace({ root });
  await door.settled(root);
  await door.restart();
  removeFolder(root);
  await door.store.tables<WorkspaceTables>().updateTable('context_workspaces').set({ host: 'apollo' }).execute();
  return { door, root, id };
}

test('a workspace of another machine is listed with its machine, and answered as it was last synced', async () => {
  const { door, root, id } = await openElsewhere('postgres');

  expect(await door.client.listWorkspaces()).toMatchObject({
    workspaces: [{ id, root, machine: 'apollo', state: 'ready', files: 2 }],
  });
  const { places, files } = await door.client.searchCode({ workspaceId: id, question: 'evict oldest' });
  expect([places[0]!.path, files]).toEqual(['src/cache.ts', 2]);
  expect(await door.client.readCode({ workspaceId: id, path: 'src/cache.ts' })).toMatchObject({
    text: FILES['src/cache.ts'],
  });
  const asked = await fetch(`${door.url}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${door.tokenOf.admin}` },
    body: JSON.stringify({ query: 'evict oldest', workspace: root }),
  });
  expect(await asked.json()).toMatchObject({ results: [{ path: 'src/cache.ts' }, { path: 'src/server.ts' }] });
});

test('what only its own machine can do with a workspace is refused elsewhere, and removing it works anywhere', async () => {
  const { door, root, id: workspaceId } = await openElsewhere('postgres');

  for (const ask of [
    () => door.client.refreshWorkspace({ workspaceId }),
    () => door.client.listLeftOut({ workspaceId }),
    () => door.client.explainPath({ workspaceId, path: 'src/cache.ts' }),
  ])
    await expect(ask()).rejects.toMatchObject({
      code: 'conflict',
      message: `${root} is a folder of the machine apollo, and another server answered. Only the server on apollo can look at its files.`,
    });

  expect(await door.client.removeWorkspace({ workspaceId })).toEqual({});
  expect(await door.client.listWorkspaces()).toEqual({ workspaces: [] });
  expect(await door.context().engine.blobs.stats()).toMatchObject({ blobs: 0 });
});

test('a store that one server has for itself tells nothing of the machine it was copied from', async () => {
  const { door } = await openElsewhere('sqlite');

  expect(await door.client.listWorkspaces()).toEqual({ workspaces: [] });
});

test('adding a folder twice, by whatever path, is the same workspace', async () => {
  const door = await openManageDoor();
  const root = realTree(FILES);
  const link = join(realpathSync(tempFolder()), 'link');
  symlinkSync(root, link);

  const added = await Promise.all(
    [root, `${root}/src/..`, link].map((given) => door.client.addWorkspace({ root: given })),
  );

  expect(new Set(added.map(({ id }) => id)).size).toBe(1);
  expect((await door.client.listWorkspaces()).workspaces).toHaveLength(1);
  await door.settled(root);
});

test('what is no folder to be indexed is refused with the reason', async () => {
  const door = await openManageDoor();
  const root = realTree({ 'file.ts': '' });
  const refusal = (given: string) =>
    door.client.addWorkspace({ root: given }).then(
      () => 'taken',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );

  expect(await refusal('/')).toBe('bad-request: / is more than a code base. Name the folder in it that you mean.');
  const home = realpathSync(homedir());
  const wholeHome = `bad-request: ${home} is more than a code base. Name the folder in it that you mean.`;
  expect([await refusal(homedir()), await refusal('~'), await refusal('~/')]).toEqual([
    wholeHome,
    wholeHome,
    wholeHome,
  ]);
  expect(await refusal('src')).toBe('bad-request: src is not a full path; begin it with / or with ~/.');
  expect(await refusal(join(root, 'file.ts'))).toBe(`bad-request: ${root}/file.ts is not a folder of this machine.`);
  expect(await refusal(join(root, 'nothing'))).toBe(`bad-request: ${root}/nothing is not a folder of this machine.`);
  expect(await refusal(`${root}\0`)).toBe('bad-request: root: it must not contain a null character.');
  expect(await door.client.listWorkspaces()).toEqual({ workspaces: [] });
});

test.each([{ watch: false }, { watch: true }])(
  'a refresh looks at the files again (watched: $watch)',
  async ({ watch }) => {
    const door = await openManageDoor({ watch });
    const root = realTree(FILES);
    const { id } = await door.client.addWorkspace({ root });
    await door.settled(root);
    writeIn(root, 'src/new.ts', 'export const brandNew = 1;\n');

    expect(await door.client.refreshWorkspace({ workspaceId: id })).toMatchObject({ id, state: 'scanning' });
    expect(await door.settled(root)).toMatchObject({ state: 'ready', files: 3 });
  },
);

test('a workspace that another process removed is a new one when it is added again', async () => {
  const door = await openManageDoor();
  const root = realTree(FILES);
  const { id } = await door.client.addWorkspace({ root });
  await door.settled(root);
  await new WorkspaceStore(door.store).delete(id);

  const again = await door.client.addWorkspace({ root });

  expect(again.id).not.toBe(id);
  expect(await door.settled(root)).toMatchObject({ id: again.id, state: 'ready', files: 2 });
});

test('a workspace can be removed while it is being indexed', async () => {
  const door = await openManageDoor();
  const root = realTree(
    Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`${number}.ts`, `export const a${number} = 1;\n`])),
  );
  const { id, state } = await door.client.addWorkspace({ root });
  expect(state).toBe('scanning');

  await door.client.removeWorkspace({ workspaceId: id });

  expect(await door.client.listWorkspaces()).toEqual({ workspaces: [] });
  await door.client.addWorkspace({ root });
  expect(await door.settled(root)).toMatchObject({ state: 'ready', files: 500 });
});

test('a folder that is gone is a problem until it is back, and can be removed', async () => {
  const door = await openManageDoor();
  const [gone, back] = [realTree(FILES), realTree(FILES)];
  const { id } = await door.client.addWorkspace({ root: gone });
  const other = await door.client.addWorkspace({ root: back });
  await door.settled(gone);
  await door.settled(back);
  removeFolder(gone);
  removeFolder(back);

  expect(await door.settled(gone)).toMatchObject({
    state: 'problem',
    problem: `${gone} is not there any more. Put it back, or remove the workspace.`,
    files: 2,
  });
  await door.client.removeWorkspace({ workspaceId: id });
  await door.client.refreshWorkspace({ workspaceId: other.id });
  expect(await door.settled(back)).toMatchObject({ state: 'problem' });
  mkdirSync(back);
  expect(await door.settled(back)).toMatchObject({
    state: 'problem',
    problem: expect.stringContaining(back) as string,
  });
  writeIn(back, 'a.ts', 'export const a = 1;\n');
  await door.client.refreshWorkspace({ workspaceId: other.id });
  expect(await door.settled(back)).toMatchObject({ state: 'ready', files: 1 });
});

test('every call answers each role as the table says', async () => {
  const door = await openManageDoor();
  const root = realTree(FILES);
  const inputs: Record<keyof typeof CONTEXT_ROUTES, { query?: string; body?: object }> = {
    listWorkspaces: {},
    addWorkspace: { body: { root } },
    refreshWorkspace: { body: {} },
    listLeftOut: {},
    explainPath: { query: '?path=src/cache.ts' },
    searchCode: { body: { question: 'evict' } },
    readCode: { query: '?path=src/cache.ts' },
    removeWorkspace: {},
  };
  const answers: Record<string, number[]> = {};
  for (const [name, { query = '', body }] of Object.entries(inputs)) {
    const { method, path } = CONTEXT_ROUTES[name as keyof typeof inputs];
    answers[name] = [];
    for (const token of [
      'none',
      ...(['viewer', 'member', 'admin'] as const).map((role) => `Bearer ${door.tokenOf[role]}`),
    ]) {
      const { id } = await door.client.addWorkspace({ root });
      await door.settled(root);
      const { status } = await door.call(path.replace(':workspaceId', id) + query, {
        method,
        headers: { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      answers[name].push(status);
    }
  }

  expect(answers).toEqual({
    listWorkspaces: [401, 200, 200, 200],
    addWorkspace: [401, 403, 403, 200],
    refreshWorkspace: [401, 403, 200, 200],
    listLeftOut: [401, 200, 200, 200],
    explainPath: [401, 200, 200, 200],
    searchCode: [401, 200, 200, 200],
    readCode: [401, 200, 200, 200],
    removeWorkspace: [401, 403, 200, 200],
  });
});

test('the list names the model that code and questions are sent to, as it is configured by then', async () => {
  const configured: { embedding?: { model: string } } = {};
  const door = await openManageDoor({ embedding: () => configured.embedding });

  expect(await door.client.listWorkspaces()).toEqual({ workspaces: [] });
  configured.embedding = { model: 'openai/text-embedding-3-small' };
  expect(await door.client.listWorkspaces()).toEqual({
    workspaces: [],
    embeddingModel: 'openai/text-embedding-3-small',
  });
});
