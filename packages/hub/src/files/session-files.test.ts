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
    client.findFiles({ sessionId, q: 'a', limit: 101 }),
  ];
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ code: 'bad-request' })));
  expect(runner.asks).toEqual([]);
  expect(HUB_CALLS.stageFiles.body.safeParse({ paths: ['a'], isStaged: true, force: true }).success).toBe(false);
});
