import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';

const CHANGES = {
  isRepository: true,
  branch: 'main',
  files: [{ path: 'a.ts', unstaged: 'modified' as const, added: 1, removed: 0 }],
  isCut: false,
};

for (const engine of STORE_ENGINES) {
  test(`${engine}: the machine is asked with the session it is about, and its answer is passed on`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code', worktree: true });
    await runner.say(sessionId, [{ type: 'agent-state', state: 'ready', cwd: '/worktrees/code' }]);
    const session = { sessionId, agent: 'able', folder: '/code', worktree: true, cwd: '/worktrees/code' };
    /** What was asked, and what the client got. */
    const through = async <Answer>(call: Promise<Answer>, result: unknown) => {
      const { askId, ask } = await runner.asked();
      await runner.link.reply('run_desk', askId, { result });
      return [ask, await call];
    };

    const files = { path: 'src', entries: [{ name: 'a.ts', path: 'src/a.ts', kind: 'file', size: 3 }], isCut: false };
    expect(await through(client.listFiles({ sessionId, path: 'src' }), { ...files, extra: 1 })).toEqual([
      { method: 'list-files', session, path: 'src' },
      files,
    ]);
    expect(await through(client.listFiles({ sessionId }), files)).toEqual([{ method: 'list-files', session }, files]);
    const found = { files: [{ path: 'src/a.ts' }] };
    expect(await through(client.findFiles({ sessionId, q: 'a b' }), found)).toEqual([
      { method: 'find-files', session, q: 'a b', limit: 20 },
      found,
    ]);
    const content = { path: 'a.ts', size: 3, text: 'one', isCut: false };
    expect(await through(client.readFile({ sessionId, path: 'a "b"\n&.ts' }), content)).toEqual([
      { method: 'read-file', session, path: 'a "b"\n&.ts' },
      content,
    ]);
    expect(await through(client.listFileChanges({ sessionId }), CHANGES)).toEqual([
      { method: 'list-file-changes', session },
      CHANGES,
    ]);
    const diff = { path: 'a.ts', unified: '@@', isCut: false };
    expect(await through(client.readDiff({ sessionId, path: 'a.ts' }), diff)).toEqual([
      { method: 'read-diff', session, path: 'a.ts', staged: false },
      diff,
    ]);
    expect((await through(client.readDiff({ sessionId, path: 'a.ts', staged: true }), diff))[0]).toMatchObject({
      staged: true,
    });
    expect(await through(client.stageFiles({ sessionId, paths: ['a.ts'], isStaged: true }), CHANGES)).toEqual([
      { method: 'stage-files', session, paths: ['a.ts'], isStaged: true },
      CHANGES,
    ]);
    expect(await through(client.discardChanges({ sessionId, paths: ['a.ts'] }), CHANGES)).toEqual([
      { method: 'discard-changes', session, paths: ['a.ts'] },
      CHANGES,
    ]);
    const committed = { commit: '1'.repeat(40), changes: CHANGES };
    expect(await through(client.commitChanges({ sessionId, message: ' Two ' }), committed)).toEqual([
      { method: 'commit-changes', session, message: 'Two', author: 'owner' },
      committed,
    ]);
  });

  test(`${engine}: the machine hears that nobody waits for its answer any more`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code' });
    const leaving = new AbortController();

    const call = client.listFileChanges({ sessionId }, { signal: leaving.signal });
    const { askId } = await runner.asked();
    leaving.abort();

    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await runner.askEnded(askId);
  });

  test(`${engine}: what the machine refuses is passed on, and what it cannot answer is said in a sentence`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code' });
    const answered = async (answer: Parameters<typeof runner.link.reply>[2]) => {
      const call = client.listFileChanges({ sessionId });
      const { askId } = await runner.asked();
      const said = call.catch((error: { code: string; message: string }) => `${error.code}: ${error.message}`);
      await runner.link.reply('run_desk', askId, answer);
      return said;
    };

    for (const code of ['bad-request', 'conflict', 'forbidden', 'not-found', 'timed-out', 'unavailable'])
      expect(await answered({ error: { code, message: 'no' } })).toBe(`${code}: no`);
    expect(await answered({ error: { code: 'internal', message: 'no' } })).toBe('unavailable: no');
    // A runner that is older than the question answers with its agents.
    expect(await answered({ result: [] })).toBe(
      'unavailable: The answer of the machine desk cannot be read; update its runner.',
    );
    await runner.leave();
    await expect(client.readFile({ sessionId, path: 'a.ts' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The machine desk is not connected; start its runner again.',
    });
    await expect(client.listFiles({ sessionId: 'ses_nowhere' })).rejects.toMatchObject({ code: 'not-found' });
  });
}

test('an image comes in pieces from the machine, and is served as what it is, to be looked at and nothing else', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client, token } = door.owner;
  const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code' });
  const piece = { mediaType: 'image/svg+xml', size: 5, version: 'one', data: Buffer.from('abc').toString('base64') };
  const rest = { ...piece, data: Buffer.from('de').toString('base64') };
  const served = async (...results: object[]) => {
    const answer = fetch(`${door.url}/api/sessions/${sessionId}/image?path=${encodeURIComponent('a "b"&.svg')}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const asks = [];
    for (const result of results) {
      const { askId, ask } = await runner.asked();
      await runner.link.reply('run_desk', askId, { result });
      asks.push(ask);
    }
    return { asks, answer: await answer };
  };

  const { asks, answer } = await served(piece, rest);
  expect(asks).toMatchObject([
    { method: 'read-image', path: 'a "b"&.svg', from: 0, session: { sessionId } },
    { method: 'read-image', path: 'a "b"&.svg', from: 3, session: { sessionId } },
  ]);
  expect(await answer.text()).toBe('abcde');
  expect(
    ['content-type', 'content-security-policy', 'x-content-type-options', 'cache-control'].map((name) =>
      answer.headers.get(name),
    ),
  ).toEqual(['image/svg+xml', "default-src 'none'; sandbox", 'nosniff', 'no-store']);

  for (const other of [
    { ...rest, version: 'two' },
    { ...rest, data: '' },
    { ...rest, data: piece.data },
  ]) {
    const changed = (await served(piece, other)).answer;
    expect([changed.status, changed.headers.get('content-type')]).toEqual([409, 'application/json; charset=utf-8']);
    expect(await changed.text()).toContain('The image was changed while it was read; try again.');
  }
  // What a machine calls an image is shown as one, and as nothing else.
  for (const wrong of [
    { ...piece, mediaType: 'text/html' },
    { ...piece, size: 1e9 },
    { ...piece, size: 0 },
  ])
    expect((await served(wrong)).answer.status).toBe(503);
});

test('on a shared machine every member may change files; on another one only its owner, and it is not asked', async () => {
  const door = await openHubDoor();
  const [ada, max] = [await door.person('ada'), await door.person('max')];
  const runner = await door.runner({}, ada);
  const { id: sessionId } = await ada.client.createSession({ agent: 'able', folder: '/code', runnerId: 'run_desk' });
  const change = { sessionId, paths: ['a.ts'] };

  await expect(max.client.discardChanges(change)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining("The machine desk is ada's own") as string,
  });
  expect(runner.asks).toEqual([]);
  runner.hello.isShared = true;
  await runner.greet();
  const changed = max.client.discardChanges(change);
  const { askId } = await runner.asked();
  await runner.link.reply('run_desk', askId, { result: CHANGES });
  expect(await changed).toEqual(CHANGES);
});

test('files of a folder are found before there is a session, by who may let agents work on that machine', async () => {
  const door = await openHubDoor();
  const [ada, max] = [await door.person('ada'), await door.person('max')];
  const runner = await door.runner({}, ada);
  const asked = { runnerId: 'run_desk', folder: '/code', q: 'a b' };

  await expect(max.client.findFolderFiles(asked)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(ada.client.findFolderFiles({ ...asked, folder: '' })).rejects.toMatchObject({ code: 'bad-request' });
  expect(runner.asks).toEqual([]);
  const call = ada.client.findFolderFiles(asked);
  const { askId, ask } = await runner.asked();
  expect(ask).toMatchObject({ method: 'find-files', session: { folder: '/code' }, q: 'a b', limit: 20 });
  await runner.link.reply('run_desk', askId, { result: { files: [{ path: 'src/a.ts' }], more: 1 } });
  expect(await call).toEqual({ files: [{ path: 'src/a.ts' }] });
});

test('a call is looked at before the machine is asked', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code' });

  const calls = [
    client.stageFiles({ sessionId, paths: [], isStaged: true }),
    client.stageFiles({ sessionId, paths: ['a\0b'], isStaged: true }),
    client.discardChanges({ sessionId, paths: Array.from({ length: 1_001 }, String) }),
    client.commitChanges({ sessionId, message: '  ' }),
    client.readFile({ sessionId, path: 'x'.repeat(4_097) }),
    client.readImage({ sessionId, path: 'x'.repeat(4_097) }),
    client.findFiles({ sessionId, q: 'a', limit: 101 }),
  ];
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ code: 'bad-request' })));
  expect(runner.asks).toEqual([]);
  expect(HUB_CALLS.stageFiles.body.safeParse({ paths: ['a'], isStaged: true, force: true }).success).toBe(false);
});
