import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises';
import { type AgentError, DragomanError, foldSession, type ModelEvent } from '@dragoman/protocol';
import { openStore, type Store } from '@dragoman/server';
import { fillDisk, freshLocation, mountSmallDisk, rounds, tempFolder } from '@dragoman/testkit';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { agentMigrations } from '../agent-migrations.ts';
import { testAgent } from '../open-agent.fixture.ts';
import { calls, says, scriptedModel } from '../scripted-model.fixture.ts';
import { testStore } from '../session/session.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import { Tool } from '../tools/tool.ts';
import { scriptSettings } from './scripted-turns.fixture.ts';
import { expectSettled } from './well-formed.fixture.ts';
import { createWorking } from './working-session.fixture.ts';

/** A session that would work for a long time, and what it says of its end. */
async function busySession(store: Store, fail: (step: number) => void | Promise<void>) {
  let step = 0;
  const model = scriptedModel([
    async (_call, signal) => {
      await fail(++step);
      await wait(1, undefined, { signal }).catch(() => {});
      return calls(['note', { step }], ['wait', { step }]);
    },
  ]);
  const parameters = z.object({ step: z.number() });
  const tools = [
    Tool.define({
      id: 'note',
      description: 'Notes.',
      parameters,
      isReadOnly: true,
      execute: async ({ step: number }) => ({ title: '', output: `${number}${'x'.repeat(2_000)}` }),
    }),
    Tool.define({
      id: 'wait',
      description: 'Waits.',
      parameters,
      execute: async ({ step: number }, { abort }) => {
        await wait(2, undefined, { signal: abort });
        return { title: '', output: String(number) };
      },
    }),
  ];
  const runner = await createWorking({
    store: new SessionStore(store),
    model,
    tools,
    settings: { ...scriptSettings, budget: { steps: 2_000 } },
    outputFolder: tempFolder(),
  });
  const ends: (AgentError | undefined)[] = [];
  runner.subscribe({
    event: ({ event }) => {
      if (event.type === 'turn-finished') ends.push(event.error);
    },
  });
  return { runner, ends, steps: () => step };
}

async function expectGivenUp(runner: SessionRunner, ends: (AgentError | undefined)[]): Promise<void> {
  const error: unknown = await runner.idle().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DragomanError);
  expect((error as DragomanError).message).toMatch(/^The session ses_\w+ cannot be stored: \S/);
  expect(ends).toMatchObject([{ code: 'internal', message: (error as DragomanError).message }]);
  expectSettled(runner.state);
  expect(runner.isRunning).toBe(false);
  // It stays so: nothing is begun that could not be kept.
  await expect(runner.idle()).rejects.toThrow(/cannot be stored/);
  await expect(runner.prompt({ text: 'and now?' })).rejects.toThrow(/cannot be stored/);
  runner.resume();
  expect(runner.isRunning).toBe(false);
  await runner.abort();
}

test('a database that is closed in the middle ends the turn, and everybody who waits is told', async () => {
  for (let round = 0; round < rounds(100); round++) {
    const store = await openStore(await freshLocation('sqlite'), { rooms: [agentMigrations] });
    const { runner, ends, steps } = await busySession(store, (step) =>
      step === 1 + (round % 4) ? store.close() : undefined,
    );
    await runner.prompt({ text: 'work' });
    await runner.prompt({ text: 'and then this' }).catch(() => {});

    await expectGivenUp(runner, ends);

    expect(steps()).toBeLessThan(8);
    await expect(runner.close()).rejects.toThrow(/cannot be stored/);
  }
});

test('a PostgreSQL that refuses what is written ends the turn, and everybody who waits is told', async () => {
  const location = await freshLocation('postgres');
  const store = await openStore(location, { rooms: [agentMigrations] });
  onTestFinished(() => store.close());
  const other = await openStore(location, { rooms: [agentMigrations] });
  onTestFinished(() => other.close());
  const { runner, ends } = await busySession(store, async (step) => {
    if (step === 3) await sql`drop table agent_events`.execute(other.tables());
  });
  await runner.prompt({ text: 'work' });

  await expectGivenUp(runner, ends);
  await expect(runner.close()).rejects.toThrow(/agent_events/);
});

test('a disk that fills up in the middle of the work ends the turn; once there is room the session goes on from what was stored (needs the right to mount)', async ({
  skip,
}) => {
  const disk = join(realpathSync(tempFolder()), 'disk');
  skip(!mountSmallDisk(disk, 4), 'no file system can be mounted here');
  for (let round = 0; round < rounds(50); round++) {
    const location = { databaseFile: join(disk, `${round}.sqlite`), databaseUrl: undefined };
    const store = await openStore(location, { rooms: [agentMigrations] });
    const { runner, ends } = await busySession(store, () => {});
    await runner.prompt({ text: 'work' });
    const makeRoom = fillDisk(disk, 40 + ((round * 53) % 400));

    await expectGivenUp(runner, ends);
    makeRoom();

    await runner.close().catch(() => {});
    const sessions = new SessionStore(store);
    const left = await sessions.read(runner.id);
    const { Session } = await import('../session/session.ts');
    const session = await Session.open(sessions, runner.id);
    expect(left.length).toBeGreaterThan(1);
    expectSettled(session.state);
    session.append({ type: 'session-updated', title: 'there is room again' });
    await session.close();
    expect(foldSession(await sessions.read(runner.id))!.info.title).toBe('there is room again');
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(location.databaseFile + end, { force: true });
  }
});

test('an agent whose store is gone in the middle of a task comes to its end, and can be closed', async () => {
  const store = await testStore();
  const endless: ModelEvent[] = calls(['task', { description: 'look', prompt: 'look', agent: 'explore' }]);
  let asked = 0;
  const model = scriptedModel([
    async () => {
      if (++asked === 1) return endless;
      await store.close();
      await nextRound();
      return says('never stored');
    },
  ]);
  const { agent, root } = await testAgent(model, { store });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });

  await expect(runner.idle()).rejects.toThrow(/cannot be stored/);
  await agent.close().catch(() => {});
});
