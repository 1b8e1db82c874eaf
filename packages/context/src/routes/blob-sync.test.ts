import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { blobOf } from '../index/blobs/blob.fixture.ts';
import { type ContextDoor, openContextDoor, toWire } from './context-door.fixture.ts';

const [main, readme, bad] = [blobOf('src/main.ts'), blobOf('README.md', '# Grüße 🌍\r\n'), blobOf('../out.ts')];
const names = [main.blobName, readme.blobName];

test('SYNC-68 SYNC-69 SYNC-70 BYOK-14 BYOK-15 BYOK-27 what is missing is uploaded once, and ready when the upload is answered', async () => {
  const door = await openContextDoor();

  for (const model of [{ model: '' }, { model: null }, {}])
    expect(await door.ask('/find-missing', { ...model, mem_object_names: names })).toEqual({
      status: 200,
      unknown_memory_names: names,
      nonindexed_blob_names: [],
    });
  expect(await door.ask('/batch-upload', { blobs: [toWire(main), toWire(readme), toWire(main)] })).toEqual({
    status: 200,
    blob_names: [main.blobName, readme.blobName, main.blobName],
  });
  expect(await door.ask('/find-missing', { mem_object_names: names })).toEqual({
    status: 200,
    unknown_memory_names: [],
    nonindexed_blob_names: [],
  });
});

test('SYNC-69 a blob that is stored and cannot be found yet is told as such, and is not unknown', async () => {
  const door = await openContextDoor({
    wrapIndex: (index) => ({ ...index, add: () => Promise.reject(new Error('the index is broken')) }),
  });

  expect(await door.ask('/batch-upload', { blobs: [toWire(main)] })).toEqual({
    status: 200,
    blob_names: [main.blobName],
  });
  expect(await door.ask('/find-missing', { mem_object_names: names })).toMatchObject({
    unknown_memory_names: [readme.blobName],
    nonindexed_blob_names: [main.blobName],
  });
  expect(door.logged).toContainEqual(expect.objectContaining({ msg: 'uploaded blobs could not be indexed' }));
});

test('blobs that a crash or a full disk left without an index are indexed while a client asks about them', async () => {
  const door = await openContextDoor({
    wrapIndex: (index) => ({ ...index, add: () => Promise.reject(new Error('the disk is full')) }),
  });
  await door.ask('/batch-upload', { blobs: [toWire(main), toWire(readme)] });

  expect(await nonindexed(door, names)).toEqual(names);
  await untilIndexed(door, names);
  expect(await door.ask('/search', { query: 'content of main' })).toMatchObject({ results: [{ path: 'src/main.ts' }] });
});

test('SYNC-70 the names end before the first refused blob, so that none is taken for another; the good ones behind it are kept', async () => {
  const door = await openContextDoor();
  const wrongName = { ...toWire(readme), blob_name: main.blobName };

  expect(await door.ask('/batch-upload', { blobs: [toWire(main), toWire(bad), toWire(readme)] })).toEqual({
    status: 200,
    blob_names: [main.blobName],
    rejected: [
      {
        blob_name: bad.blobName,
        path: '../out.ts',
        reason: 'path: "../out.ts" leads out of the workspace with "..".',
      },
    ],
  });
  expect(await door.ask('/find-missing', { mem_object_names: [...names, bad.blobName] })).toMatchObject({
    unknown_memory_names: [bad.blobName],
  });
  expect(await door.ask('/batch-upload', { blobs: [wrongName] })).toMatchObject({
    status: 200,
    blob_names: [],
    rejected: [{ blob_name: main.blobName, path: 'README.md' }],
  });
  expect(await door.ask('/batch-upload', { blobs: [null, 7, {}, { path: 'x'.repeat(9_999) }] })).toMatchObject({
    blob_names: [],
    rejected: [{ path: '' }, { path: '' }, { path: '' }, { path: 'x'.repeat(200) }],
  });
});

test('every bad blob of an upload is refused with its own reason, and the good ones between them are kept', async () => {
  const door = await openContextDoor();
  const good = Array.from({ length: 10 }, (_, number) => blobOf(`good${number}.ts`));
  const bad: [path: string, content: string, reason: string][] = [
    ['../../etc/passwd', 'x', 'path: "../../etc/passwd" leads out of the workspace with "..".'],
    ['src\\..\\..\\x', 'x', 'path: "src\\\\..\\\\..\\\\x" leads out of the workspace with "..".'],
    ['/etc/passwd', 'x', 'path: "/etc/passwd" is absolute; expected a path relative to the workspace.'],
    ['C:\\x', 'x', 'path: "C:\\\\x" is absolute; expected a path relative to the workspace.'],
    [
      '\\\\server\\share',
      'x',
      'path: "\\\\\\\\server\\\\share" is absolute; expected a path relative to the workspace.',
    ],
    ['nul\0.ts', 'x', 'path: "nul\\u0000.ts" holds a NUL character.'],
    ['half\ud83d.ts', 'x', 'path: "half\\ud83d.ts" holds half of a character (a lone surrogate).'],
    ['half.ts', 'x\udc00', 'content: "half.ts" holds half of a character (a lone surrogate).'],
    ['nul.ts', 'x\0y', 'content: "nul.ts" holds a NUL character.'],
    ['large.ts', 'x'.repeat(5_000_000), 'content: "large.ts" is 5000000 bytes; the limit is 1048576.'],
  ];
  const mixed = bad.flatMap(([path, content], number) => [toWire(blobOf(path, content)), toWire(good[number]!)]);

  const answer = await door.ask('/batch-upload', { blobs: mixed });

  expect(answer).toMatchObject({ status: 200, blob_names: [] });
  expect((answer['rejected'] as { reason: string }[]).map(({ reason }) => reason)).toEqual(
    bad.map(([, , reason]) => reason),
  );
  const goodNames = good.map((blob) => blob.blobName);
  await untilIndexed(door, goodNames);
  expect(await door.ask('/find-missing', { mem_object_names: goodNames })).toMatchObject({ unknown_memory_names: [] });
  expect(await door.engine.blobs.stats()).toMatchObject({ blobs: 10 });
});

test('a body of a strange shape is answered and hurts nobody', async () => {
  const door = await openContextDoor();
  const deep = (open: string, close: string) => `{"blobs":[${open.repeat(98)}${close.repeat(98)}]}`;

  expect(await door.ask('/batch-upload', deep('[', ']'))).toMatchObject({ status: 200, rejected: [{ path: '' }] });
  expect(await door.ask('/batch-upload', deep('{"path":', '}').replace(':}', ':1}'))).toMatchObject({
    status: 200,
    rejected: [{ path: '', reason: expect.stringMatching(/^blob_name: /) as string }],
  });
  for (const body of ['', 'null', '7', '"text"', '{"blobs":[{"blob_name":', '\\u0000', '{]'])
    expect((await door.ask('/batch-upload', body))['status']).toBe(400);
  expect(await door.ask('/batch-upload', '{"__proto__":{"blobs":[7]}}')).toEqual({ status: 200, blob_names: [] });
  expect(await door.ask('/batch-upload', { blobs: [toWire(main)] })).toEqual({
    status: 200,
    blob_names: [main.blobName],
  });
});

test('of ten thousand blobs in one call, a thousand are taken and the others are told why not', async () => {
  const door = await openContextDoor();
  const many = Array.from({ length: 10_000 }, (_, number) => blobOf(`${number}.txt`, 'x'));

  const answer = await door.ask('/batch-upload', { blobs: many.map(toWire) });

  expect(answer['blob_names']).toEqual(many.slice(0, 1_000).map((blob) => blob.blobName));
  expect(answer['rejected']).toHaveLength(9_000);
  expect((answer['rejected'] as unknown[])[0]).toEqual({
    blob_name: many[1_000]!.blobName,
    path: '1000.txt',
    reason: 'One call takes 1000 blobs; send this one in another.',
  });
  expect(await door.engine.blobs.stats()).toMatchObject({ blobs: 1_000 });
});

test('files that are made to hold secrets are acknowledged, and nothing of them is kept or found', async () => {
  const door = await openContextDoor();
  const key = `-----BEGIN PRIVATE KEY-----\n${'zebraquartz'.repeat(6)}\n-----END PRIVATE KEY-----\n`;
  const secrets = [
    ...['.env', 'id_rsa', 'deploy.pem', '.git/config', 'src\\.Env.local', 'a/.ssh/known', './x//.npmrc'].map((path) =>
      blobOf(path, `zebraquartz of ${path}\n`),
    ),
    blobOf('notes.txt', key),
  ];
  const example = blobOf('.env.example', 'zebraquartz=put yours here\n');
  const about = blobOf('about.md', 'It begins with BEGIN PRIVATE KEY.\n');
  const all = [main, ...secrets, example, about];
  const allNames = all.map((blob) => blob.blobName);

  const answer = await door.ask('/batch-upload', { blobs: all.map(toWire) });

  expect(answer).toEqual({
    status: 200,
    blob_names: allNames,
    left_out: secrets.map(({ blobName, path }) => ({
      blob_name: blobName,
      path,
      reason:
        path === 'notes.txt'
          ? 'The content holds a private key; nothing of the file is kept.'
          : 'The path is one of those that hold secrets; nothing of the file is kept.',
    })),
  });
  await untilIndexed(door, allNames);
  expect(await door.ask('/find-missing', { mem_object_names: allNames })).toMatchObject({ unknown_memory_names: [] });
  expect([...(await door.engine.blobs.contents(allNames)).keys()].sort()).toEqual(
    [main.blobName, example.blobName, about.blobName].sort(),
  );
  expect(await door.engine.blobs.stats()).toMatchObject({
    blobs: all.length,
    bytes: Buffer.byteLength(main.content + example.content + about.content),
  });
  const { results } = await door.ask('/search', { query: 'zebraquartz' });
  expect((results as { path: string }[]).map(({ path }) => path)).toEqual(['.env.example']);
  expect(await door.ask('/workspace_context', {})).toMatchObject({ files: 3 });
  expect(await door.ask('/batch-upload', { blobs: [toWire(secrets[0]!)] })).toMatchObject({
    blob_names: [secrets[0]!.blobName],
    left_out: [{ path: '.env' }],
  });
});

test('SYNC-71 a set of more than 200,000 names is refused with the number, in one call or by several, and is never a 404', async () => {
  const door = await openContextDoor();
  const invented = (count: number, from = 0) =>
    Array.from({ length: count }, (_, number) => (from + number).toString(16).padStart(64, '0'));

  expect(await door.ask('/checkpoint-blobs', { blobs: { added_blobs: invented(200_001) } })).toMatchObject({
    status: 400,
    error: { message: 'blobs.added_blobs: 200001 names; the limit is 200000' },
  });
  const { new_checkpoint_id: id } = await door.ask('/checkpoint-blobs', { blobs: { added_blobs: invented(200_000) } });
  expect(id).toMatch(/^cp_/);
  const more = { checkpoint_id: id, added_blobs: invented(1, 500_000) };
  for (const [path, body] of [
    ['/checkpoint-blobs', { blobs: more }],
    ['/agents/codebase-retrieval', { information_request: 'main', blobs: more }],
  ] as const)
    expect(await door.ask(path, body)).toMatchObject({
      status: 413,
      error: { message: 'A set may name 200000 blobs; this one has 200001.' },
    });
  expect(await door.ask('/search', { query: 'main' })).toEqual({ status: 200, results: [] });
  await door.ask('/batch-upload', { blobs: [toWire(main)] });
  expect(await door.ask('/search', { query: 'content of main' })).toMatchObject({ results: [{ path: 'src/main.ts' }] });
});

test('SYNC-86 an upload may be packed with gzip', async () => {
  const door = await openContextDoor();

  const { body } = await door.call('/batch-upload', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify({ blobs: [toWire(readme)] })),
  });

  expect(body).toEqual({ blob_names: [readme.blobName] });
  expect((await door.engine.blobs.contents(names)).get(readme.blobName)).toEqual({
    path: 'README.md',
    text: '# Grüße 🌍\r\n',
  });
});

test('one user neither sees nor inherits what another uploaded', async () => {
  const door = await openContextDoor();
  const eve = await door.tokens.openUser('eve', 'member');
  const { text } = await door.tokens.createToken({
    user: eve,
    name: 'e',
    role: 'member',

    expiresAt: null,
  });
  const asEve = { authorization: `Bearer ${text}` };
  await door.ask('/batch-upload', { blobs: [toWire(main)] });
  const { new_checkpoint_id: checkpointId } = await door.ask('/checkpoint-blobs', {
    blobs: { checkpoint_id: null, added_blobs: [main.blobName], deleted_blobs: [] },
  });

  expect(await door.ask('/find-missing', { mem_object_names: [main.blobName] }, asEve)).toMatchObject({
    unknown_memory_names: [main.blobName],
  });
  for (const [blobs, said] of [
    [{ checkpoint_id: checkpointId }, 'the state of the workspace that this request refers to is not known here'],
    [{ added_blobs: [main.blobName] }, 'none of the 1 files of this request has been uploaded here'],
  ])
    expect(await door.ask('/agents/codebase-retrieval', { information_request: 'main', blobs }, asEve)).toEqual({
      status: 200,
      formatted_retrieval: expect.stringContaining(said as string),
    });
  expect(await door.ask('/search', { query: 'main' }, asEve)).toEqual({ status: 200, results: [] });
});

test('SYNC-71 BYOK-13 BYOK-27 a checkpoint has an id whatever it is made from, and is never a 404', async () => {
  const door = await openContextDoor();
  const make = async (blobs: unknown) => {
    const { status, new_checkpoint_id: id } = await door.ask('/checkpoint-blobs', { blobs });
    expect({ status, id }).toEqual({ status: 200, id: expect.stringMatching(/^cp_/) });
    return id;
  };

  const first = await make({ checkpoint_id: null, added_blobs: names, deleted_blobs: [] });
  expect(await make({ checkpoint_id: first, added_blobs: [], deleted_blobs: [readme.blobName] })).toBe(
    await make({ checkpoint_id: null, added_blobs: [main.blobName], deleted_blobs: [] }),
  );
  const empty = await make({ checkpoint_id: null, added_blobs: [], deleted_blobs: [] });
  for (const odd of [{ checkpoint_id: 'cp-4' }, { checkpoint_id: '', added_blobs: null }, {}, null, [], ['nonsense']])
    expect(await make(odd)).toBe(empty);
});

test('what is not of the right shape is refused with the field', async () => {
  const door = await openContextDoor();
  const refusal = async (path: string, body: unknown) => {
    const { status, error } = await door.ask(path, body);
    return `${status as number} ${(error as { message: string }).message}`;
  };

  expect(await refusal('/find-missing', { mem_object_names: 'abc' })).toMatch(/^400 mem_object_names: /);
  expect(await refusal('/find-missing', { mem_object_names: [7] })).toMatch(/^400 mem_object_names\.0: /);
  expect(await refusal('/batch-upload', { blobs: {} })).toMatch(/^400 blobs: /);
  expect(await refusal('/checkpoint-blobs', { blobs: { added_blobs: {} } })).toMatch(/^400 blobs\.added_blobs: /);
  expect(await refusal('/checkpoint-blobs', { blobs: { checkpoint_id: 7 } })).toMatch(/^400 blobs\.checkpoint_id: /);
  expect(await refusal('/find-missing', '[]')).toMatch(/^400 the body: /);
  expect(await refusal('/batch-upload', '{"blobs": [')).toMatch(/^400 The body is not valid JSON/);
  expect(await door.ask('/find-missing', {})).toMatchObject({ status: 200, unknown_memory_names: [] });
  expect(await door.ask('/batch-upload', {})).toEqual({ status: 200, blob_names: [] });
});

test('the blobs of a commit are registered as the client sends them, and found by the commit', async () => {
  const door = await openContextDoor();
  const commit = { commit_sha: 'a691c0c15d568a76ee350fce60f0113f91591b35', commit_time: '2026-11-15T02:25:07.000Z' };
  const latest = (...shas: string[]) => door.ask('/indexed-commits/get-latest-blobset', { commit_shas: shas });
  await door.ask('/batch-upload', { blobs: [toWire(main)] });
  const { new_checkpoint_id: id } = await door.ask('/checkpoint-blobs', { blobs: { added_blobs: [main.blobName] } });
  const blobs = { checkpoint_id: id, added_blobs: [], deleted_blobs: [] };

  expect(await latest(commit.commit_sha)).toEqual({ status: 200 });
  expect(await door.ask('/indexed-commits/register-blobset', { commit, blobs })).toEqual({ status: 200 });
  expect(await latest('0'.repeat(40), commit.commit_sha)).toEqual({ status: 200, commit, blobs });
  const other = { ...commit, commit_sha: '1'.repeat(40) };
  await door.ask('/indexed-commits/register-blobset', { commit: other, blobs: { ...blobs, checkpoint_id: 'cp-4' } });
  expect(await latest(other.commit_sha)).toEqual({ status: 200 });
  expect(await door.ask('/indexed-commits/register-blobset', {})).toEqual({ status: 200 });
});

/** Of the names, those that are stored and cannot be found yet. */
async function nonindexed(door: ContextDoor, asked: readonly string[]): Promise<unknown[]> {
  return (await door.ask('/find-missing', { mem_object_names: asked }))['nonindexed_blob_names'] as unknown[];
}

/** An upload is answered before its files can be found where the machine is very busy. */
async function untilIndexed(door: ContextDoor, asked: readonly string[]): Promise<void> {
  while ((await nonindexed(door, asked)).length > 0) await new Promise((go) => setImmediate(go));
}
