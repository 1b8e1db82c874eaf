import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@dragoman/server/base';
import { runDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { agentsProcess } from './agents-process.fixture.ts';
import { countingHome, startCounting } from './counting-home.fixture.ts';
import { approvalOf, calls, projectWith, says, scripted, serveHub, turnsOver, viewUntil } from './hub.fixture.ts';
import { counted, upTo, wholeView } from './two-hubs.fixture.ts';

const soon = { timeout: 60_000 };

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'an agent goes on when its server ends by %s, and the next server has every word of it',
  async (signal) => {
    const home = countingHome();
    const first = await serveHub(undefined, { home });
    const id = await startCounting(first.owner, { blocks: 40, everyMs: 50, askBefore: [30] });
    await viewUntil(first.owner, id, (view) => counted(view).length > 5);
    const pid = agentsProcess(home);
    expect(pid).not.toBe(first.process.pid);

    await first.stop(signal);
    expect(isAlive(pid)).toBe(true);
    const second = await serveHub(undefined, { home });

    const { approvals } = await viewUntil(second.owner, id, (view) => view.approvals.length > 0);
    expect(approvals[0]!.decided).toBeUndefined();
    const [runner] = (await second.owner.listRunners()).runners;
    expect(runner).toMatchObject({ isServer: true, isConnected: true });
    await second.owner.decideApproval({ sessionId: id, approvalId: approvals[0]!.id, optionId: 'a' });
    const view = await viewUntil(second.owner, id, ({ turn }) => turn?.reason !== undefined);

    expect(view.turn!.reason).toBe('done');
    expect(counted(view)).toEqual(upTo(40));
    expect(await wholeView(second.owner, id)).toEqual(view);
    expect(agentsProcess(home)).toBe(pid);
  },
);

test('nothing is restored over a data folder whose agents are still at work', async () => {
  const home = countingHome();
  const server = await serveHub(undefined, { home });
  const id = await startCounting(server.owner, { blocks: 10, askBefore: [5] });
  await viewUntil(server.owner, id, (view) => view.approvals.length > 0);
  const file = join(tempFolder(), 'copy.sqlite');
  expect(await runDragoman(['backup', file], { home })).toMatchObject({ exitCode: 0 });
  await server.stop('SIGKILL');
  const restore = () => runDragoman(['backup', file, '--restore'], { home });
  for (const name of readdirSync(home)) if (name.startsWith('dragoman.sqlite')) rmSync(join(home, name));

  expect(await restore()).toMatchObject({
    exitCode: 1,
    stderr:
      'dragoman: This data folder is in use by a server, or by agents that one left at work. Stop them first with: dragoman stop\n',
  });
  await runDragoman(['stop'], { home });
  expect(await restore()).toMatchObject({ exitCode: 0 });
});

test('agents of an older process finish what they are at, and the next work has what the new server was started with', async () => {
  const model = { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1', apiKey: '{env:ROTATED}' };
  const home = countingHome({ providers: { model } });
  const first = await serveHub(undefined, { home, env: { ROTATED: 'the-key-of-yesterday' } });
  const id = await startCounting(first.owner, { blocks: 4, askBefore: [2] });
  await viewUntil(first.owner, id, (view) => view.approvals.length > 0);
  const pid = agentsProcess(home);
  await first.stop('SIGTERM');

  const second = await serveHub(undefined, { home, env: { ROTATED: 'the-key-of-today' } });
  const { approvals } = await viewUntil(second.owner, id, (view) => view.approvals.length > 0);
  await expect
    .poll(async () => (await runDragoman(['doctor'], { home, env: { ROTATED: 'any' } })).stdout, soon)
    .toContain(
      `agents are still at work in an older process (${pid}): the environment has new values (ROTATED); it is replaced when none of them is`,
    );
  expect(isAlive(pid)).toBe(true);
  await second.owner.decideApproval({ sessionId: id, approvalId: approvals[0]!.id, optionId: 'a' });
  const view = await viewUntil(second.owner, id, ({ turn }) => turn?.reason !== undefined);
  expect([view.turn!.reason, counted(view)]).toEqual(['done', upTo(4)]);

  await expect.poll(() => isAlive(pid), soon).toBe(false);
  await second.owner.sendPrompt({ sessionId: id, text: JSON.stringify({ blocks: 2 }) });
  await viewUntil(second.owner, id, ({ turns }) => turns[1]?.reason === 'done');
  const next = agentsProcess(home);
  expect(next).not.toBe(pid);
  await second.owner.sendPrompt({ sessionId: id, text: JSON.stringify({ blocks: 2 }) });
  await viewUntil(second.owner, id, ({ turns }) => turns[2]?.reason === 'done');
  expect(agentsProcess(home)).toBe(next);
});

test('a terminal takes no session from an agent that works on it in the process that outlived the server', async () => {
  const provider = await startFakeProvider();
  provider.answer(calls('bash', { command: 'make it' }), says('Made.'));
  const first = await serveHub(scripted(provider.url));
  const { home } = first;
  const cwd = projectWith({ 'a.ts': '' });
  const { id } = await first.owner.createSession({ agent: 'native', folder: cwd, prompt: { text: 'make it' } });
  const asked = await approvalOf(first.owner, id);
  await first.stop('SIGKILL');

  expect(await runDragoman(['run', '--continue', 'and then'], { home, cwd })).toMatchObject({
    exitCode: 1,
    stderr: `dragoman: Session ${id} is running elsewhere. Wait for it, or stop it in the console.\n`,
  });

  const second = await serveHub(undefined, { home });
  await second.owner.decideApproval({ sessionId: id, approvalId: asked.id, reject: true });
  expect((await turnsOver(second.owner, id)).turns.map(({ reason }) => reason)).toEqual(['done']);
});

test('Ctrl-C ends the agents with the server, and what they did is kept', async () => {
  const home = countingHome();
  const first = await serveHub(undefined, { home });
  const id = await startCounting(first.owner, { blocks: 10, askBefore: [5] });
  await viewUntil(first.owner, id, (view) => view.approvals.length > 0);
  const pid = agentsProcess(home);

  const { exitCode } = await first.stop('SIGINT');

  expect([exitCode, isAlive(pid)]).toEqual([0, false]);
  const second = await serveHub(undefined, { home });
  const view = await viewUntil(second.owner, id, ({ turn }) => turn?.reason !== undefined);
  expect([view.turn!.reason, counted(view)]).toEqual(['interrupted', upTo(4)]);
});

test('dragoman stop ends a server and its agents, and agents that a dead server left', async () => {
  const home = countingHome();
  const first = await serveHub(undefined, { home });
  const id = await startCounting(first.owner, { blocks: 10, askBefore: [5] });
  await viewUntil(first.owner, id, (view) => view.approvals.length > 0);
  const pid = agentsProcess(home);

  await first.stop('SIGKILL');
  expect((await runDragoman(['doctor'], { home })).stdout).toContain(
    `not running; agents that it left are still at work (process ${pid}). End them with: dragoman stop`,
  );
  expect(await runDragoman(['stop'], { home })).toMatchObject({
    exitCode: 0,
    stdout: 'Stopped the agents that an earlier server left at work.\n',
  });
  expect(isAlive(pid)).toBe(false);

  const second = await serveHub(undefined, { home });
  expect((await viewUntil(second.owner, id, ({ turn }) => turn?.reason !== undefined)).turn!.reason).toBe(
    'interrupted',
  );
  expect((await runDragoman(['stop'], { home })).stdout).toBe(`Stopped the server at ${second.url} and its agents.\n`);
  expect((await second.finished).exitCode).toBe(0);
  expect((await runDragoman(['stop'], { home })).stdout).toBe(`No server is running on ${home}.\n`);
});

test('a server that ends without work at hand leaves no process behind, and agents that died with theirs are told as interrupted', async () => {
  const home = countingHome();
  const first = await serveHub(undefined, { home });
  const id = await startCounting(first.owner, { blocks: 3 });
  await viewUntil(first.owner, id, ({ turn }) => turn?.reason === 'done');
  const idle = agentsProcess(home);

  await first.stop('SIGTERM');
  expect(isAlive(idle)).toBe(false);

  const second = await serveHub(undefined, { home });
  await second.owner.sendPrompt({ sessionId: id, text: JSON.stringify({ blocks: 5, askBefore: [2] }) });
  await viewUntil(second.owner, id, (view) => view.approvals.length > 0);
  process.kill(agentsProcess(home), 'SIGKILL');
  const view = await viewUntil(second.owner, id, ({ turn }) => turn?.reason === 'interrupted');
  expect(counted(view)).toEqual([...upTo(3), '1']);
  await expect.poll(async () => (await second.owner.listRunners()).runners[0]!.isConnected, soon).toBe(true);
});

test('a session whose agent cannot be started says why, and goes on when it can', async () => {
  const home = countingHome();
  const server = await serveHub(undefined, { home });
  const file = join(home, 'dragoman.json');
  const configuration = readFileSync(file, 'utf8');
  writeFileSync(file, '{ "hub": nonsense }');

  const id = await startCounting(server.owner, { blocks: 2 });
  const waiting = await viewUntil(server.owner, id, ({ messages }) => messages.some(({ role }) => role === 'agent'));
  const [notice] = waiting.messages.filter(({ role }) => role === 'agent').flatMap(({ blocks }) => blocks);
  expect(notice!.block).toEqual({
    type: 'notice',
    level: 'warning',
    text: `This server runs no agents: the process for agents ended while it started (exit code 3); see ${join(home, 'runner/server/runner.log')}. It will be retried.`,
  });
  writeFileSync(file, configuration);
  const view = await viewUntil(server.owner, id, ({ turns }) => turns[0]?.reason === 'done');

  expect(counted(view)).toEqual(upTo(2));
});
