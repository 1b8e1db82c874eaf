import { expect, test } from 'vitest';
import type { Blob } from '../blob-server.ts';
import { blobOf } from '../index/blobs/blob.fixture.ts';
import { gitRepository } from '../index/commits/git-repository.fixture.ts';
import { type ContextDoor, openContextDoor, toWire, viewOf } from './context-door.fixture.ts';

const sources = {
  'src/parse-duration.ts':
    'import { UNITS } from "./units.ts";\n\n/** Reads "5 minutes" as milliseconds. */\nexport function parseDuration(text: string): number {\n  const [count, unit] = text.split(" ");\n  return Number(count) * UNITS[unit];\n}\n',
  'src/send-mail.ts':
    'import { connect } from "node:net";\n\n/** Delivers a message to the mail server. */\nexport async function sendMail(message: string): Promise<void> {\n  const socket = connect(25);\n  socket.write(message);\n}\n',
  'lib/retry.py': 'def retry_request(times):\n    """Repeats a request that failed."""\n    return times\n',
  'README.md': '# Example\n\nA program that sends mail.\n',
};
const files: Blob[] = Object.entries(sources).map(([path, content]) => blobOf(path, content));
const nameAt = (path: keyof typeof sources) => blobOf(path, sources[path]).blobName;
const allNames = files.map((blob) => blob.blobName);

async function openSynced(options: Parameters<typeof openContextDoor>[0] = {}): Promise<ContextDoor> {
  const door = await openContextDoor(options);
  await door.ask('/batch-upload', { blobs: files.map(toWire) });
  return door;
}

const retrieve = async (door: ContextDoor, body: object): Promise<string> => {
  const { status, formatted_retrieval: text, ...rest } = await door.ask('/agents/codebase-retrieval', body);
  expect({ status, text, rest }).toEqual({ status: 200, text: expect.any(String), rest: {} });
  return text as string;
};

test('SYNC-72 SYNC-73 SYNC-77 BYOK-12 BYOK-27 a question is answered with code, from a checkpoint, a plain list or both', async () => {
  const door = await openSynced();
  const { new_checkpoint_id: id } = await door.ask('/checkpoint-blobs', { blobs: { added_blobs: allNames.slice(1) } });
  const information_request = 'Where are durations parsed?';

  for (const blobs of [
    { checkpoint_id: null, added_blobs: allNames, deleted_blobs: [] },
    { checkpoint_id: id, added_blobs: allNames.slice(0, 1), deleted_blobs: [] },
    { added_blobs: allNames },
    allNames,
    allNames.map((blob_name) => ({ blob_name })),
  ])
    expect(await retrieve(door, { information_request, blobs, dialog: [] })).toContain('parseDuration(text: string)');
  for (const dialog of [[], [{ request_message: 'hi' }], 7, null, undefined])
    expect(await retrieve(door, { query: information_request, blobs: allNames, dialog })).toContain('parseDuration');
});

test('SYNC-72 nothing but the given set is answered from', async () => {
  const door = await openSynced();
  const { new_checkpoint_id: id } = await door.ask('/checkpoint-blobs', { blobs: { added_blobs: allNames } });
  const deleted_blobs = [nameAt('src/parse-duration.ts')];

  for (const blobs of [{ checkpoint_id: id, deleted_blobs }, { added_blobs: [nameAt('README.md')] }])
    expect(await retrieve(door, { information_request: 'parseDuration', blobs })).not.toContain('parseDuration(');
});

test('SYNC-74 the answer is no longer than asked for; 0, none and nonsense mean 20,000', async () => {
  const door = await openContextDoor();
  const many = Array.from({ length: 60 }, (_, number) =>
    blobOf(
      `src/handler-${number}.ts`,
      Array.from(
        { length: 60 },
        (__, line) => `export const handler${number}Line${line} = "handler value ${line}";`,
      ).join('\n'),
    ),
  );
  await door.ask('/batch-upload', { blobs: many.map(toWire) });
  const ask = (max_output_length?: number | null) =>
    retrieve(door, {
      information_request: 'handler value',
      blobs: many.map((blob) => blob.blobName),
      max_output_length,
    });

  for (const length of [1, 10, 100, 1_000, 5_000]) expect((await ask(length)).length).toBeLessThanOrEqual(length);
  for (const length of [0, null, undefined, -5]) {
    const text = await ask(length);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.length).toBeGreaterThan(10_000);
  }
  const longest = await ask(1_000_000);
  expect(longest.length).toBeLessThanOrEqual(80_000);
  expect(longest.length).toBeGreaterThan(20_000);
});

test('SYNC-75 without code retrieval no code is returned', async () => {
  const door = await openSynced();

  expect(
    await retrieve(door, { information_request: 'parseDuration', blobs: allNames, disable_codebase_retrieval: true }),
  ).toBe('Code retrieval is turned off in this request.');
});

test('SYNC-76 with commit retrieval, commits of the folder the files are from are found, too', async () => {
  const repository = gitRepository();
  repository.commit('Parse durations with units', sources, 'Minutes and hours are understood.');
  repository.commit('Retry failed requests', { 'lib/retry.py': `${sources['lib/retry.py']}# more\n` });
  const other = gitRepository();
  other.commit('Parse durations elsewhere', { 'x.ts': '1' });
  const workspaces = [
    { id: 'wsp_2', name: 'other', root: other.root, view: async () => viewOf([blobOf('x.ts', '1').blobName]) },
    { id: 'wsp_1', name: 'one', root: repository.root, view: async () => viewOf(allNames) },
  ];
  const door = await openSynced({ workspaces });
  const request = { information_request: 'durations', blobs: allNames };

  expect(await retrieve(door, request)).not.toContain('Commits that');
  const both = await retrieve(door, { ...request, enable_commit_retrieval: true });
  expect(both).toContain('parseDuration(text: string)');
  expect(both).toMatch(
    /Commits that may have to do with it:\n\n[0-9a-f]{12} 2026-01-02 Ada: Parse durations with units\n {4}Minutes and hours/,
  );
  expect(both).not.toContain('elsewhere');
  const only = await retrieve(door, { ...request, enable_commit_retrieval: true, disable_codebase_retrieval: true });
  expect(only).toContain('Parse durations with units');
  expect(only).not.toContain('parseDuration(');
  const short = await retrieve(door, { ...request, enable_commit_retrieval: true, max_output_length: 900 });
  expect(short.length).toBeLessThanOrEqual(900);
  const bare = await openSynced();
  expect(await retrieve(bare, { ...request, enable_commit_retrieval: true })).toContain('parseDuration(');
});

test('SYNC-77 BYOK-27 where there is nothing to answer from, the answer says so in words', async () => {
  const door = await openSynced();
  const ask = (blobs: unknown, information_request = 'mail') => retrieve(door, { information_request, blobs });

  for (const blobs of [undefined, null, {}, [], { checkpoint_id: null, added_blobs: [], deleted_blobs: [] }])
    expect(await ask(blobs)).toBe('Nothing can be found: no files are synced.\n');
  expect(await ask({ checkpoint_id: 'gone' })).toMatch(/^Nothing can be found: the state of the workspace/);
  expect(await ask({ added_blobs: ['f'.repeat(64)] })).toBe(
    'Nothing can be found yet: none of the 1 files of this request has been uploaded here.\n',
  );
  expect(await ask(allNames, 'xylophone quasar')).toBe('No code was found for this request.\n');
  expect(await ask(allNames, ' \n')).toBe('The question is empty; say in words what you are looking for.');
  expect(await ask(allNames, '\ud800 \0 🌍 %$#')).toEqual(expect.any(String));
});

test('a retrieval without a question, or with fields of another type, is refused with the field', async () => {
  const door = await openContextDoor();
  const refusal = async (body: unknown) => {
    const { status, error } = await door.ask('/agents/codebase-retrieval', body);
    return `${status as number} ${(error as { message: string }).message}`;
  };

  expect(await refusal({})).toBe('400 information_request: expected the question, as text.');
  expect(await refusal({ information_request: 7 })).toMatch(/^400 information_request: /);
  expect(await refusal({ information_request: 'x', blobs: 'all' })).toMatch(/^400 blobs: /);
  expect(await refusal({ information_request: 'x', max_output_length: '9' })).toMatch(/^400 max_output_length: /);
});

test('an answer holds no secrets that stand in the files', async () => {
  const door = await openContextDoor();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const blob = blobOf('deploy.ts', `export const deployToken = "${secret}";\n`);
  await door.ask('/batch-upload', { blobs: [toWire(blob)] });

  const text = await retrieve(door, { information_request: 'deployToken', blobs: [blob.blobName] });
  const places = JSON.stringify(await door.ask('/search', { query: 'deployToken' }));

  for (const said of [text, places]) {
    expect(said).toContain('deployToken');
    expect(said).not.toContain(secret);
  }
});
