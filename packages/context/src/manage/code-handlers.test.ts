import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { type ManageDoor, openManageDoor, realTree, writeIn } from './manage-door.fixture.ts';

const SECRET = `sk-proj-${'a1B2'.repeat(8)}`;
const FILES = {
  'src/cache.ts':
    'const kept = 8;\n\n/** Drops what was not used for longest. */\nexport function evictOldest() {\n  return kept;\n}\n',
  'src/server.ts': "import { evictOldest } from './cache.ts';\n\nexport function serve() {\n  evictOldest();\n}\n",
  'test/cache.test.ts':
    "import { evictOldest } from '../src/cache.ts';\n\ntest('evicts from the cache', evictOldest);\n",
  'src/token.ts': `export const apiToken = '${SECRET}';\n`,
  '.env': 'TOKEN=1\n',
};

async function indexed(door: ManageDoor, root: string): Promise<string> {
  const { id } = await door.client.addWorkspace({ root });
  await door.settled(root);
  return id;
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a question is answered with places that say why they ranked, from the files as they are now', async () => {
    const door = await openManageDoor({ engine });
    const root = realTree(FILES);
    const workspaceId = await indexed(door, root);

    const { places, files } = await door.client.searchCode({
      workspaceId,
      question: 'how the cache evicts old entries',
    });
    expect(files).toBe(4);
    expect(places[0]).toMatchObject({
      path: 'src/cache.ts',
      startLine: 1,
      endLine: 6,
      text: FILES['src/cache.ts'].trim(),
    });
    expect(places.map(({ score }) => score)).toEqual(places.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(places[0]!.why).toContainEqual({
      reason: 'words-in-path',
      title: 'Words in the path',
      detail: 'cache',
      weight: expect.any(Number) as number,
    });
    for (const { why } of places) expect(why.reduce((sum, { weight }) => sum + Math.abs(weight), 0)).toBeCloseTo(1, 9);

    writeIn(root, 'src/fresh.ts', 'export const zebraCrossing = 1;\n');
    const fresh = await door.client.searchCode({ workspaceId, question: 'zebra crossing', limit: 1 });
    expect(fresh.places.map(({ path }) => path)).toEqual(['src/fresh.ts']);
  });

  test('an indexed file is read with its secrets masked, by its path in the folder or in full', async () => {
    const door = await openManageDoor({ engine });
    const root = realTree(FILES);
    const workspaceId = await indexed(door, root);

    expect(await door.client.readCode({ workspaceId, path: 'src/cache.ts' })).toEqual({
      path: 'src/cache.ts',
      text: FILES['src/cache.ts'],
      isCut: false,
    });
    expect(await door.client.readCode({ workspaceId, path: `${root}/src/token.ts` })).toEqual({
      path: 'src/token.ts',
      text: "export const apiToken = '[API_KEY_REDACTED]';\n",
      isCut: false,
    });
  });
});

test('the places are those that /search gives', async () => {
  const door = await openManageDoor();
  const root = realTree(FILES);
  const workspaceId = await indexed(door, root);
  const question = 'how the cache evicts old entries';

  const { places } = await door.client.searchCode({ workspaceId, question });
  const plain = await door.call('/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: question, workspace: workspaceId }),
  });

  const results = plain.body['results'] as { path: string; start: number; end: number; score: number; text: string }[];
  expect(
    places.map(({ path, startLine, endLine, score, text }) => ({ path, startLine, endLine, score, text })),
  ).toEqual(
    results.map(({ path, start, end, score, text }) => ({ path, startLine: start, endLine: end, score, text })),
  );
});

test('only what is indexed can be read', async () => {
  const door = await openManageDoor();
  const root = realTree(FILES);
  const workspaceId = await indexed(door, root);
  const refusal = (path: string) =>
    door.client.readCode({ workspaceId, path }).then(
      () => 'read',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );

  expect(await refusal('.env')).toBe(`not-found: .env is not an indexed file of ${root}.`);
  expect(await refusal('src')).toBe(`not-found: src is not an indexed file of ${root}.`);
  expect(await refusal('.')).toBe(`not-found: ${root} is not an indexed file of ${root}.`);
  expect(await refusal('../secret')).toBe(`bad-request: path: "../secret" is not in ${root}.`);
  expect(await refusal('/etc/passwd')).toBe(`bad-request: path: "/etc/passwd" is not in ${root}.`);
  expect(await refusal('src/../../x')).toMatch(/^bad-request: /);
});

test('of a very long file the beginning is read, to the end of a line', async () => {
  const door = await openManageDoor({ maxFileBytes: 3_000_000 });
  const line = `// ${'x'.repeat(96)}\n`;
  const root = realTree({ 'long.ts': line.repeat(20_001), 'one-line.ts': 'y'.repeat(1_500_000) });
  const workspaceId = await indexed(door, root);

  const long = await door.client.readCode({ workspaceId, path: 'long.ts' });
  expect([long.isCut, long.text.length, long.text.endsWith(line)]).toEqual([true, 1_000_000, true]);
  const one = await door.client.readCode({ workspaceId, path: 'one-line.ts' });
  expect([one.isCut, one.text.length]).toEqual([true, 1_000_000]);
});

test('a folder with nothing in it answers with no places', async () => {
  const door = await openManageDoor();
  const workspaceId = await indexed(door, realTree({}));

  expect(await door.client.searchCode({ workspaceId, question: 'anything' })).toMatchObject({ places: [], files: 0 });
});
