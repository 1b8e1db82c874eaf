import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, startDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { serveHub, toldBy, turnsOver, viewUntil } from './hub.fixture.ts';

/** On a busy machine anything may take a while. */
const PATIENCE = { timeout: 60_000 };
const TOKEN = 'A-TOKEN-OF-THIS-TEST';
/** Says what it hears; of "stay" it never comes to an end. */
const PARROT = {
  backend: 'text',
  command: ['sh', '-c', 'heard=$(cat); echo "Heard: $heard"; [ "$heard" = stay ] && sleep 600; true'],
};

/** A server, and a machine beside it with a session at work. */
async function serveTwo() {
  const server = await serveHub({ agents: { parrot: PARROT } }, { args: ['--token', TOKEN] });
  const [home, folder] = [tempFolder(), tempFolder()];
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ agents: { parrot: PARROT } }));
  const startRunner = () =>
    startDragoman(['runner', '--hub', server.url, '--name', 'laptop'], { home, env: { DRAGOMAN_TOKEN: TOKEN } });
  const runner = startRunner();
  const laptop = await expect
    .poll(async () => (await server.owner.listRunners()).runners.find(({ name }) => name === 'laptop')?.id, PATIENCE)
    .toBeDefined()
    .then(async () => (await server.owner.listRunners()).runners.find(({ name }) => name === 'laptop')!.id);
  const { id: sessionId } = await server.owner.createSession({
    agent: 'parrot',
    runnerId: laptop,
    folder,
    prompt: { text: 'stay' },
  });
  await viewUntil(server.owner, sessionId, (view) => toldBy(view).includes('text Heard: stay'));
  const lose = async () => {
    runner.process.kill('SIGKILL');
    await runner.finished;
    await expect.poll(async () => (await server.owner.getSession({ sessionId })).isOnline, PATIENCE).toBe(false);
  };
  return { server, sessionId, folder, laptop, lose, startRunner };
}

test('a session whose machine was killed says so on its page, is stopped there, and goes on at the server', async () => {
  const { server, sessionId, lose, startRunner } = await serveTwo();
  await lose();
  const page = await openConsole(server, { path: `/sessions/${sessionId}` });
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });

  await page.getByText('laptop is offline').waitFor(PATIENCE);
  await page.getByText('Your prompts are queued until it reconnects.').waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnsOver(server.owner, sessionId, 1);
  expect(await server.owner.getSession({ sessionId })).toMatchObject({ status: 'idle' });

  await page.getByRole('button', { name: 'Move to another machine…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText(/^Moved from laptop to .+, where it works in /).waitFor(PATIENCE);
  await prompt.fill('go on');
  await prompt.press('Enter');
  const view = await turnsOver(server.owner, sessionId, 2);
  expect(view.turns.map(({ reason }) => reason)).toEqual(['cancelled', 'done']);
  expect(toldBy(view).at(-1)).toContain('User: stay\n\nAssistant: Heard: stay');
  expect(toldBy(view).at(-1)).toMatch(/go on$/);

  // The machine that had it comes back, and changes nothing.
  startRunner();
  await expect
    .poll(
      async () => (await server.owner.listRunners()).runners.find(({ name }) => name === 'laptop')?.isConnected,
      PATIENCE,
    )
    .toBe(true);
  const after = await server.owner.getSession({ sessionId });
  expect([after.status, after.turnId, after.lastError]).toEqual(['idle', undefined, undefined]);
});

test('a machine that never returns is removed in the settings, and its sessions can still be read, in Chinese too', async () => {
  const { server, sessionId, lose } = await serveTwo();
  await lose();
  const settings = await openConsole(server, { path: '/settings?tab=agents' });
  await settings.getByRole('button', { name: 'Remove laptop' }).click(PATIENCE);
  await settings.getByText('Its sessions are closed and can still be read').waitFor(PATIENCE);
  await settings.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(async () => (await server.owner.listRunners()).runners.length, PATIENCE).toBe(1);

  const page = await openConsole(server, { path: `/sessions/${sessionId}`, language: 'zh' });
  await page.getByText('laptop 已被移除').waitFor(PATIENCE);
  await page.getByText('仅可查看：这个会话的机器已被移除。').waitFor(PATIENCE);
  await page.getByText('Heard: stay').waitFor(PATIENCE);
  expect(await server.owner.getSession({ sessionId })).toMatchObject({
    status: 'stopped',
    away: { state: 'forgotten' },
  });
});

test('in a terminal machines are listed with how they are, sessions moved, and machines that are gone removed', async () => {
  const { server, sessionId, folder, laptop, lose } = await serveTwo();
  await lose();
  const env = { DRAGOMAN_TOKEN: TOKEN };
  const dragoman = (...args: string[]) => runDragoman([...args, '--server', server.url], { env });
  const { runners } = await server.owner.listRunners();
  const own = runners.find(({ id }) => id !== laptop)!;

  const { stdout, stderr } = await dragoman('machines');
  expect(stdout).toMatch(new RegExp(`${laptop} +laptop +\\S+ +offline since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d`));
  expect(stdout).toMatch(new RegExp(`${own.id} .+ connected`));
  expect(stdout).toMatch(new RegExp(`^laptop +${sessionId} +\\w+ +\\S`, 'm'));
  expect(stderr).toBe(
    'To continue one on another machine: dragoman sessions move ID MACHINE\nTo stop its turn: dragoman sessions stop ID\n',
  );
  expect((await dragoman('sessions', 'stop', sessionId)).stdout).toBe('Stopped.\n');
  expect((await dragoman('sessions', 'stop', sessionId)).stdout).toBe('Nothing is running.\n');
  expect((await dragoman('sessions', 'move', sessionId, 'nowhere')).stderr).toContain(
    'dragoman: There is no machine "nowhere"; the server knows: ',
  );
  expect((await dragoman('sessions', 'move', sessionId, own.id)).stdout).toBe(
    `Moved to ${own.name}, where it works in ${folder}.\nWhat its agent still does on the machine before is not shown.\n`,
  );
  expect((await dragoman('sessions', 'move', sessionId, own.id)).stdout).toBe(
    `The session is on ${own.name} already, and works with parrot in ${folder}. Nothing was changed.\n`,
  );
  // On the server's own host, whoever may read its data folder needs no token.
  const here = (...args: string[]) => runDragoman(args, { home: server.home });
  const other = tempFolder();
  expect((await here('sessions', 'move', sessionId, own.id, '--folder', other, '--agent', 'chat')).stdout).toBe(
    `Now works with chat in ${other}.\n`,
  );
  expect((await here('sessions', 'move', sessionId, own.id, '--agent', 'parrot')).stdout).toBe(
    'Now works with parrot.\n',
  );
  expect((await here('machines')).stdout).toContain('offline since');
  expect((await dragoman('machines', 'remove', 'laptop')).stdout).toBe(
    'Removed laptop. Its sessions can still be read, or moved to another machine.\n',
  );
  expect((await server.owner.listRunners()).runners.map(({ id }) => id)).toEqual([own.id]);
});
