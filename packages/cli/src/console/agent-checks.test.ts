import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openStore } from '@dragoman/server/base';
import { freshLocation, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openSetup } from '../load-setup.ts';
import { roomMigrations } from '../rooms.ts';
import { AgentChecks } from './agent-checks.ts';

/** Is never ready. */
const MUTE = 'process.stdin.resume();';

/** Checks that may take so long, on a data folder of the running test's own. */
async function checksWithin(longestMs: number): Promise<AgentChecks> {
  const setup = openSetup({}, [], { DRAGOMAN_HOME: tempFolder() });
  const store = await openStore(await freshLocation('sqlite'), { rooms: roomMigrations });
  onTestFinished(() => store.close());
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const stopping = new AbortController().signal;
  return new AgentChecks({ store, setup, config: () => setup.config.value, log, stopping }, longestMs);
}

test('a check that takes too long ends the agent, and says so', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mute.mjs'), MUTE);
  const checks = await checksWithin(300);

  const agent = { backend: 'uap', command: [process.execPath, 'mute.mjs'] };
  const answer = await checks.check({ agent, folder, signal: new AbortController().signal });

  expect(answer).toEqual({
    isWell: false,
    rules: [],
    problem: {
      code: 'timed-out',
      message: 'The check took longer than 0.3 s, so the agent was stopped.',
      fix: 'Make sure the agent answers a short prompt within a minute, or run dragoman uap check, which has no time limit.',
    },
  });
});

test('a check that is called off ends, and closing waits for that', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'mute.mjs'), MUTE);
  const checks = await checksWithin(60_000);
  const leaving = new AbortController();
  let isOver = false;

  const agent = { backend: 'uap', command: [process.execPath, 'mute.mjs'] };
  const ended = checks.check({ agent, folder, signal: leaving.signal }).catch((error: unknown) => error);
  const over = ended.finally(() => (isOver = true));
  leaving.abort();
  await checks.close();
  await setImmediate();

  expect(isOver).toBe(true);
  expect(await over).toMatchObject({ code: 'cancelled' });
});
