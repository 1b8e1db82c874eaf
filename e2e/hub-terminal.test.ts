import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '@dragoman/server/base';
import { runDragoman, skipTest, startDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import {
  approvalOf,
  calls,
  projectWith,
  says,
  scripted,
  serveHub,
  toldBy,
  turnsOver,
  viewUntil,
} from './hub.fixture.ts';

const PROGRAM = fileURLToPath(new URL('../packages/cli/bin/dragoman.js', import.meta.url));

const oneSession = async (home: string) => {
  const { stdout } = await runDragoman(['sessions', 'list', '--all', '--json'], { home });
  const listed = JSON.parse(stdout) as { id: string }[];
  expect(listed).toHaveLength(1);
  return listed[0]!.id;
};

test('a session of the terminal is there at the next start of a server, goes on in the console, and again in the terminal', async () => {
  const provider = await startFakeProvider();
  provider.answer(says('One.'), says('Two.'), says('Three.'));
  const home = tempFolder();
  const config = scripted(provider.url);
  const cwd = projectWith({ 'a.ts': 'export const A = 1;\n' });
  const before = await serveHub(config, { home });
  await before.stop();

  const first = await runDragoman(['run', 'first question'], { home, cwd });
  expect([first.exitCode, first.stderr]).toEqual([0, '']);
  const id = await oneSession(home);

  const { owner } = await serveHub(config, { home });
  const { sessions } = await owner.listSessions({});
  expect(sessions).toMatchObject([{ id, agentSessionId: id, title: 'first question', agent: 'native', folder: cwd }]);
  const { runners } = await owner.listRunners();
  expect(runners.map((runner) => runner.id)).toEqual([sessions[0]!.runnerId]);
  expect(toldBy(await turnsOver(owner, id))).toEqual(['text first question', 'text One.']);

  await owner.sendPrompt({ sessionId: id, text: 'second question' });
  await turnsOver(owner, id, 2);
  const third = await runDragoman(['run', '--session', id, 'third question'], { home, cwd });
  expect([third.exitCode, third.stderr]).toEqual([0, '']);
  const view = await turnsOver(owner, id, 3);

  expect(toldBy(view)).toEqual([
    'text first question',
    'text One.',
    'text second question',
    'text Two.',
    'text third question',
    'text Three.',
  ]);
  expect(view.turns.map(({ reason }) => reason)).toEqual(['done', 'done', 'done']);
  expect(await oneSession(home)).toBe(id);

  provider.answer(says('Four.'));
  const fork = await runDragoman(['run', '--session', id, '--fork', 'fourth question'], { home, cwd });
  expect([fork.exitCode, fork.stderr]).toEqual([0, '']);
  const forked = (await owner.listSessions({})).sessions.find((session) => session.id !== id)!;
  expect(forked.forkedFrom?.sessionId).toBe(id);
  expect(toldBy(await turnsOver(owner, forked.id, 4)).slice(-3)).toEqual([
    'text Three.',
    'text fourth question',
    'text Four.',
  ]);

  await runDragoman(['sessions', 'remove', id], { home });
  expect((await owner.listSessions({})).sessions.map((session) => session.id)).toEqual([forked.id]);
  await owner.removeSession({ sessionId: forked.id });
  await expect
    .poll(async () => (await runDragoman(['sessions', 'list', '--all', '--json'], { home })).stdout.trim())
    .toBe('[]');
});

test('a session of the console has the same id in the terminal, and goes on there', async () => {
  const provider = await startFakeProvider();
  provider.answer(says('One.'), says('Two.'));
  const { owner, home } = await serveHub(scripted(provider.url));
  const cwd = projectWith({ 'a.ts': 'export const A = 1;\n' });
  const { id } = await owner.createSession({ agent: 'native', folder: cwd, prompt: { text: 'first question' } });
  await turnsOver(owner, id);

  expect(await oneSession(home)).toBe(id);
  const { exitCode, stdout } = await runDragoman(['run', '--continue', 'second question'], { home, cwd });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Two.')]);
  expect(toldBy(await turnsOver(owner, id, 2))).toEqual([
    'text first question',
    'text One.',
    'text second question',
    'text Two.',
  ]);
});

test('a session that is at work in the console is not taken from it', async () => {
  const provider = await startFakeProvider();
  provider.answer(calls('bash', { command: 'make it' }), says('Made.'));
  const { owner, home } = await serveHub(scripted(provider.url));
  const cwd = projectWith({ 'a.ts': '' });
  const { id } = await owner.createSession({ agent: 'native', folder: cwd, prompt: { text: 'make it' } });
  const asked = await approvalOf(owner, id);

  const { exitCode, stderr } = await runDragoman(['run', '--session', id, 'and then'], { home, cwd });
  expect([exitCode, stderr]).toEqual([
    1,
    `dragoman: Session ${id} is running elsewhere. Wait for it, or stop it in the console.\n`,
  ]);
  await owner.decideApproval({ sessionId: id, approvalId: asked.id, reject: true });
  await turnsOver(owner, id);
});

test('a run in a terminal is live in the console: its question is answered there, and a prompt from there is worked on by it', async () => {
  const script = findProgram('script');
  if (script === undefined) return skipTest('script, which makes a terminal');
  const provider = await startFakeProvider();
  provider.answer(calls('write', { filePath: 'new.txt', content: 'made' }), says('Done.'), says('Seen.'));
  const { owner, home } = await serveHub(scripted(provider.url));
  const cwd = projectWith({ 'a.ts': '' });
  const terminal = spawn(
    script,
    [
      '-qfec',
      `"${process.execPath}" --conditions=@dragoman/source "${PROGRAM}" run "write a file"`,
      join(home, 'seen'),
    ],
    { cwd, env: { ...process.env, DRAGOMAN_HOME: home }, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  const ended = new Promise<number | null>((resolve) => terminal.once('close', resolve));
  onTestFinished(() => void terminal.kill('SIGKILL'));

  await expect.poll(async () => (await owner.listSessions({})).sessions.length, { timeout: 60_000 }).toBe(1);
  const { id } = (await owner.listSessions({})).sessions[0]!;
  const asked = await approvalOf(owner, id);
  expect(asked.title).toBe('write new.txt');
  await owner.sendPrompt({ sessionId: id, text: 'from the console' });
  await owner.decideApproval({ sessionId: id, approvalId: asked.id, optionId: 'once', channel: 'web' });
  const view = await turnsOver(owner, id, 2);

  expect(await ended).toBe(0);
  expect(readFileSync(join(cwd, 'new.txt'), 'utf8')).toBe('made');
  expect(readFileSync(join(home, 'seen'), 'utf8')).toMatch(
    /→ allowed once by owner in the console[\s\S]*Done\.[\s\S]*Seen\./,
  );
  expect(toldBy(view).at(-1)).toBe('text Seen.');
  await viewUntil(owner, id, ({ agentState }) => agentState === 'stopped');
});

test('a server that starts and stops while a run works changes nothing for it', async () => {
  const provider = await startFakeProvider();
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  provider.answer(says(held, 'Done.'));
  const home = tempFolder();
  const config = scripted(provider.url);
  await (await serveHub(config, { home })).stop();
  const cwd = projectWith({ 'a.ts': '' });
  const run = startDragoman(['run', 'work'], { home, cwd });
  run.process.stdin!.end();
  await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(1);

  const first = await serveHub(config, { home });
  const { id } = (await first.owner.listSessions({})).sessions[0]!;
  expect((await first.owner.getSession({ sessionId: id })).status).toBe('running');
  await first.stop('SIGKILL');
  const second = await serveHub(config, { home });
  goOn();

  expect(toldBy(await turnsOver(second.owner, id))).toEqual(['text work', 'text Done.']);
  expect(await run.finished).toMatchObject({ exitCode: 0, stderr: '' });
});
