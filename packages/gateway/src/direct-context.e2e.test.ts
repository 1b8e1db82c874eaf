import { join } from 'node:path';
import { DirectContext } from '@augmentcode/auggie-sdk';
import { type RunningDragoman, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

const RETRY = {
  path: 'src/retry.ts',
  contents:
    'export const MAX_RETRIES = 3;\n\nexport function mayRetry(attempt: number) {\n  return attempt < MAX_RETRIES;\n}\n',
};
const LOGIN = {
  path: 'src/login.py',
  contents: 'def check_password(user, password):\n    return verify_hash(password, user.password_hash)\n',
};
const QUESTION = 'how often is a failed call retried?';

function optionsFor({ url, token }: Pick<RunningDragoman, 'url' | 'token'>) {
  return { apiKey: token, apiUrl: `${url}/` };
}

test('SYNC-69 SYNC-70 SYNC-72 the official SDK adds, updates and removes files, and finds what is there at each moment', async () => {
  const context = await DirectContext.create(optionsFor(await serveDragoman()));

  expect(await context.addToIndex([RETRY, LOGIN])).toEqual({
    newlyUploaded: ['src/retry.ts', 'src/login.py'],
    alreadyUploaded: [],
  });
  expect(context.getIndexedPaths()).toEqual(['src/retry.ts', 'src/login.py']);
  const first = await context.search(QUESTION);
  expect(first).toContain('Path: src/retry.ts');
  expect(first).toContain('MAX_RETRIES = 3');
  expect(await context.search('check the password')).toContain('Path: src/login.py');

  expect(await context.addToIndex([RETRY])).toEqual({ newlyUploaded: [], alreadyUploaded: ['src/retry.ts'] });
  expect(await context.addToIndex([{ ...RETRY, contents: RETRY.contents.replace('= 3', '= 7') }])).toMatchObject({
    newlyUploaded: ['src/retry.ts'],
  });
  const updated = await context.search(QUESTION);
  expect(updated).toContain('MAX_RETRIES = 7');
  expect(updated).not.toContain('MAX_RETRIES = 3');

  await context.removeFromIndex(['src/retry.ts']);
  expect(await context.search(QUESTION)).not.toContain('src/retry.ts');
  expect(await context.search('check the password')).toContain('Path: src/login.py');

  await context.clearIndex();
  expect(context.getIndexedPaths()).toEqual([]);
  await expect(context.search('check the password')).rejects.toThrow('Index not initialized');
});

test('SYNC-71 SYNC-72 1,200 files are behind a checkpoint; what is added, changed and removed after it counts, and so after a restart', async () => {
  const home = tempFolder();
  const server = await serveDragoman([], { home });
  const context = await DirectContext.create(optionsFor(server));
  const files = Array.from({ length: 1_200 }, (_, number) => ({
    path: `src/part-${number % 40}/station-${number}.ts`,
    contents: `/** Rings the bell of station ${number}. */\nexport function ringBell${number}() {\n  return 'bell ${number}';\n}\n`,
  }));

  expect((await context.addToIndex(files)).newlyUploaded).toHaveLength(1_200);
  const { checkpointId } = context.export();
  expect(checkpointId).toMatch(/./);
  expect(context.export()).toMatchObject({ addedBlobs: [], deletedBlobs: [] });
  expect(await context.search('ringBell777')).toMatch(/^.*\n*Path: src\/part-17\/station-777\.ts\n/);

  await context.addToIndex([RETRY, { ...files[777]!, contents: files[777]!.contents.replace("'bell", "'gong") }]);
  await context.removeFromIndex([files[5]!.path]);
  expect(context.export()).toMatchObject({ checkpointId });
  expect(context.export().deletedBlobs).toHaveLength(2);

  await server.stop();
  const again = await serveDragoman([], { home });
  const later = await DirectContext.import(context.export(), optionsFor(again));
  expect(await later.search(QUESTION)).toContain('MAX_RETRIES = 3');
  expect(await later.search('ringBell777')).toContain("'gong 777'");
  expect(await later.search('ringBell777')).not.toContain("'bell 777'");
  expect(await later.search('ringBell5')).not.toContain('src/part-5/station-5.ts');
  expect(await later.search('ringBell6')).toContain('src/part-6/station-6.ts');
});

test('knowing the names is not owning the blobs: another user finds nothing of them, and has to upload', async () => {
  const server = await serveDragoman();
  const { stdout } = await runDragoman(['token', 'create', 'theirs', '--user', 'other', '--role', 'member'], server);
  const mine = await DirectContext.create(optionsFor(server));
  await mine.addToIndex([RETRY, LOGIN]);

  const theirs = await DirectContext.import(mine.export(), optionsFor({ url: server.url, token: stdout.trim() }));

  const found = await theirs.search(QUESTION);
  expect(found).not.toContain('MAX_RETRIES');
  expect(found).toBe('Nothing can be found yet: none of the 2 files of this request has been uploaded here.\n');
  const own = await DirectContext.create(optionsFor({ url: server.url, token: stdout.trim() }));
  expect(await own.addToIndex([RETRY])).toEqual({ newlyUploaded: ['src/retry.ts'], alreadyUploaded: [] });
  expect(await own.search(QUESTION)).toContain('MAX_RETRIES = 3');
});

test('what was exported, whole or only to be searched, finds the same when it is imported', async () => {
  const server = await serveDragoman();
  const context = await DirectContext.create(optionsFor(server));
  await context.addToIndex([RETRY, LOGIN]);
  const file = join(tempFolder(), 'state.json');
  await context.exportToFile(file);

  const whole = await DirectContext.importFromFile(file, optionsFor(server));
  const searchOnly = await DirectContext.import(context.export({ mode: 'search-only' }), optionsFor(server));

  const answer = await context.search(QUESTION);
  expect(answer).toContain('Path: src/retry.ts');
  expect(await whole.search(QUESTION)).toBe(answer);
  expect(await searchOnly.search(QUESTION)).toBe(answer);
  expect(whole.getIndexedPaths()).toEqual(['src/retry.ts', 'src/login.py']);
  expect(await whole.addToIndex([LOGIN])).toEqual({ newlyUploaded: [], alreadyUploaded: ['src/login.py'] });
});

test('a question about the code goes to the model together with what was found, and its answer names the place', async () => {
  const server = await serveDragoman();
  const context = await DirectContext.create(optionsFor(server));
  await context.addToIndex([RETRY, LOGIN]);

  expect(await context.searchAndAsk(QUESTION)).toContain('src/retry.ts');
});
