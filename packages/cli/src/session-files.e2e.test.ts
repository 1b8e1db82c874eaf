import { execFileSync } from 'node:child_process';
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubClient } from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { runDragoman, serveDragoman, startDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

test('files of a session on another machine are listed, found, read, compared, staged, discarded and committed', async () => {
  const server = await serveDragoman();
  const home = tempFolder();
  const folder = realpathSync(tempFolder());
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.email', 'desk@example.com');
  git('config', 'user.name', 'Desk');
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  write('hub-client.ts', 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--no-gpg-sign', '--message', 'first');
  write('hub-client.ts', 'two\n');
  write('large.txt', 'a line\n'.repeat(200_000));
  write('rubbish.txt', '');
  write('.env', 'KEY=1\n');
  symlinkSync('/etc/passwd', join(folder, 'passwd'));

  const config = { runner: { folders: [folder] }, agents: { mine: { backend: 'text', command: ['cat'] } } };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const runner = startDragoman(['runner', '--hub', server.url, '--name', 'desk'], {
    home,
    env: { DRAGOMAN_TOKEN: server.token },
  });
  onTestFinished(async () => {
    runner.process.kill('SIGINT');
    await runner.finished;
  });
  const client = createHubClient({ url: server.url, token: server.token });
  const desk = async () => (await client.listRunners()).runners.find(({ name }) => name === 'desk');
  await expect.poll(async () => (await desk())?.isConnected, { timeout: 60_000 }).toBe(true);
  const { id: sessionId } = await client.createSession({ agent: 'mine', folder, runnerId: (await desk())!.id });

  const listing = await client.listFiles({ sessionId });
  expect(
    HUB_CALLS.listFiles.answer
      .strict()
      .parse(listing)
      .entries.map(({ name }) => name),
  ).toEqual(['.env', 'hub-client.ts', 'large.txt', 'rubbish.txt']);
  expect(await client.findFiles({ sessionId, q: 'hubcl' })).toEqual({ files: [{ path: 'hub-client.ts' }] });
  expect(await client.readFile({ sessionId, path: 'hub-client.ts' })).toMatchObject({ text: 'two\n', isCut: false });
  const large = await client.readFile({ sessionId, path: 'large.txt' });
  expect([large.size, large.text?.length, large.isCut]).toEqual([1_400_000, 1024 * 1024, true]);
  const viewer = await runDragoman(['token', 'create', 'looks', '--user', 'vic', '--role', 'viewer'], {
    home: server.home,
  });
  const guest = createHubClient({ url: server.url, token: viewer.stdout.trim() });
  expect((await guest.readDiff({ sessionId, path: 'hub-client.ts' })).unified).toContain('\n-one\n+two\n');
  await expect(guest.discardChanges({ sessionId, paths: ['rubbish.txt'] })).rejects.toMatchObject({
    code: 'forbidden',
  });
  for (const path of ['.env', 'passwd', '../x', '/etc/passwd', '.git/config'])
    await expect(guest.readFile({ sessionId, path })).rejects.toMatchObject({ code: 'forbidden' });

  expect((await client.listFileChanges({ sessionId })).files.map(({ path }) => path)).toEqual([
    '.env',
    'hub-client.ts',
    'large.txt',
    'passwd',
    'rubbish.txt',
  ]);
  await client.discardChanges({ sessionId, paths: ['rubbish.txt', 'large.txt', 'passwd'] });
  const staged = await client.stageFiles({ sessionId, paths: ['hub-client.ts'], isStaged: true });
  expect(staged.files).toEqual([
    { path: '.env', unstaged: 'added', added: 1, removed: 0 },
    { path: 'hub-client.ts', staged: 'modified', added: 1, removed: 1 },
  ]);
  const { commit, changes } = await client.commitChanges({ sessionId, message: 'Two' });
  expect(changes).toEqual({ isRepository: true, branch: 'main', files: [staged.files[0]], isCut: false });
  expect(git('log', '-1', '--format=%H %an <%ae> %cn %s').trim()).toBe(`${commit} owner <desk@example.com> Desk Two`);
  await expect(client.commitChanges({ sessionId, message: 'Three' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'nothing is staged; stage a file first',
  });
});
