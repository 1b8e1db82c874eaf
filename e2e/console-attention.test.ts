import { startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { cutPower } from './agents-process.fixture.ts';
import { openConsole } from './console.fixture.ts';
import {
  calls,
  type HubServer,
  projectWith,
  says,
  scripted,
  serveHub,
  toldBy,
  turnsOver,
  viewUntil,
} from './hub.fixture.ts';

const GONE = 'Interrupted: the agent’s process exited before it finished.';

test('work that was interrupted needs its owner, says so everywhere, and is not the concern of others', async () => {
  const provider = await startFakeProvider();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const home = tempFolder();
  const first = await serveHub(scripted(provider.url), { home });
  const folder = projectWith({ 'a.txt': 'a' });
  const pinned = await first.owner.createSession({ agent: 'native', folder, title: 'Pinned' });
  await first.owner.updateSession({ sessionId: pinned.id, pinned: true });
  provider.answer(says('Half of it', held.promise));
  const { id } = await first.owner.createSession({ agent: 'native', folder, prompt: { text: 'Write it all' } });
  await viewUntil(first.owner, id, (view) => toldBy(view).some((told) => told.startsWith('text Half')));
  await cutPower(first);

  const server = await serveHub(scripted(provider.url), { home });
  await viewUntil(server.owner, id, ({ turn }) => turn?.finishedAt !== undefined);
  expect(await server.owner.getSession({ sessionId: id })).toMatchObject({ status: 'failed' });
  const page = await openConsole(server);
  await page.getByRole('heading', { name: 'Failed' }).waitFor();
  await page.getByText(GONE).waitFor();

  // The latest is not first, because another one is pinned: before and after something changes.
  const recent = page.getByRole('navigation').locator('a[href^="/sessions/"]');
  const titles = async () => (await recent.allInnerTexts()).map((text) => text.split('\n')[0]);
  await expect.poll(titles).toEqual(['Pinned', 'Write it all']);
  await recent.filter({ hasText: 'Write it all' }).click();
  await page.getByRole('status').getByText('Interrupted', { exact: true }).waitFor();
  await expect
    .poll(async () => {
      const { seq, readSeq } = await server.owner.getSession({ sessionId: id });
      return seq - readSeq;
    })
    .toBe(0);
  expect(await titles()).toEqual(['Pinned', 'Write it all']);
  await page.goto(`${server.url}/sessions`);
  await page.getByRole('main').getByText(GONE).waitFor();

  const others = await openConsole(server, { user: { name: 'vera', role: 'viewer' } });
  await others.getByText('You’re all caught up').waitFor();

  // One press, and the agent goes on with what it knows.
  provider.answer(says('And the rest.'));
  await page.goto(`${server.url}/sessions/${id}`);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const view = await turnsOver(server.owner, id, 2);
  expect(toldBy(view).slice(-2)).toEqual(['text Continue.', 'text And the rest.']);
  expect(JSON.stringify(provider.requests.at(-1)!.body)).toContain('Write it all');
});

test('what was read and dismissed stays so after the server was restarted', async () => {
  const provider = await startFakeProvider();
  const home = tempFolder();
  const first = await serveHub(scripted(provider.url), { home });
  const folder = projectWith({ 'a.txt': 'a' });
  const finished = async (title: string) => {
    const { id } = await first.owner.createSession({ agent: 'native', folder, title, prompt: { text: title } });
    await turnsOver(first.owner, id);
    return id;
  };
  provider.answer(says('Fine.'));
  const read = await finished('Read');
  provider.answer({ status: 400, body: JSON.stringify({ error: { message: 'no such model' } }) });
  const failed = await finished('Failed');
  const before = await openConsole(first);
  await before.getByRole('heading', { name: 'Failed' }).waitFor();
  for (const sessionId of [read, failed]) {
    const { seq } = await first.owner.getSession({ sessionId });
    await first.owner.markRead({ sessionId, seq });
  }
  await before.getByText('You’re all caught up').waitFor();
  const listed = async (server: HubServer) =>
    (await server.owner.listSessions()).sessions.map(({ title, updatedAt }) => ({ title, updatedAt }));
  const known = await listed(first);
  expect(known.map(({ title }) => title)).toEqual(['Failed', 'Read']);
  await first.stop();

  const server = await serveHub(scripted(provider.url), { home });
  // The end of its agent is in the log of each by now.
  for (const id of [read, failed]) await viewUntil(server.owner, id, ({ agentState }) => agentState === 'stopped');
  expect(await listed(server)).toEqual(known);
  const page = await openConsole(server);
  await page.getByText('You’re all caught up').waitFor();
});

test('Home shows all of a command beside the button that allows it, or offers to open the session', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const folder = projectWith({ 'a.txt': 'a' });
  const ask = async (title: string, command: string) => {
    provider.answer(calls('bash', { command }), says('Done.'));
    const { id } = await server.owner.createSession({ agent: 'native', folder, title, prompt: { text: 'go' } });
    await viewUntil(server.owner, id, ({ approvals }) => approvals.length === 1);
  };
  await ask('Short', 'npm test\ncurl -o build.sh http://localhost:1\nsh build.sh');
  await ask('Long', `npm test ${'x'.repeat(4000)} && sh build.sh`);

  const page = await openConsole(server, { size: 'phone' });
  const row = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) });
  const short = row('Short');
  await short.getByRole('button', { name: 'Allow once' }).waitFor();
  // Every part of the command is in sight: nothing around it is cut or has to be scrolled.
  const box = short.locator('pre').first();
  expect(await box.innerText()).toBe('npm test\ncurl -o build.sh http://localhost:1\nsh build.sh');
  expect(
    await box.evaluate((node) => [node.scrollHeight - node.clientHeight, node.scrollWidth - node.clientWidth]),
  ).toEqual([0, 0]);

  const long = row('Long');
  await long.getByText('Too long to show here in full. Open the session to allow it.').waitFor();
  expect(await long.getByRole('button').allInnerTexts()).toEqual(['Deny', 'Deny with reason…']);
  await long.getByRole('link', { name: 'Open session' }).click();
  const log = page.getByRole('log');
  await log.getByRole('button', { name: 'Allow once' }).waitFor();
  expect(await log.locator('pre').first().innerText()).toBe(`npm test ${'x'.repeat(4000)} && sh build.sh`);
});

test('Home sends the prompt of a turn that failed again', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const folder = projectWith({ 'a.txt': 'a' });
  provider.answer({ status: 401, body: '{"error":{"message":"no such key"}}' });
  const { id } = await server.owner.createSession({ agent: 'native', folder, title: 'Job', prompt: { text: 'do it' } });
  await turnsOver(server.owner, id);

  const page = await openConsole(server);
  provider.answer(says('Done now.'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await turnsOver(server.owner, id, 2);
  await page.getByRole('heading', { name: 'Finished, unread' }).waitFor();
  await page.getByRole('main').getByText('Done now.').waitFor();
  expect(await page.getByRole('heading', { name: 'Failed' }).count()).toBe(0);
});
