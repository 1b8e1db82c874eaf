import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { foldSession } from '@dragoman/protocol';
import { openStore } from '@dragoman/server';
import { freshLocation, isSoak, rounds, STORE_ENGINES } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { agentMigrations } from '../agent-migrations.ts';
import { sessionInfo } from '../session/session.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';
import { exited, type Program, startProgram } from './program.fixture.ts';

const PROGRAM = fileURLToPath(new URL('hold-session.fixture.ts', import.meta.url));

/** A process that can be told to do something, and says what came of it. */
interface Worker {
  program: Program;
  tell(what: 'open' | 'write'): Promise<string>;
}

async function startWorker(given: unknown): Promise<Worker> {
  const program = startProgram(PROGRAM, given);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  expect(await next()).toBe('ready');
  return {
    program,
    tell(what) {
      program.stdin.write(`${what}\n`);
      return next();
    },
  };
}

test.for(STORE_ENGINES)(
  'of processes that want one session exactly one gets it, on %s, and when that is killed the next one at once',
  { timeout: isSoak() ? 3_600_000 : 600_000 },
  async (engine) => {
    const location = await freshLocation(engine);
    const database = await openStore(location, { rooms: [agentMigrations] });
    onTestFinished(() => database.close());
    const store = new SessionStore(database);
    for (let round = 0; round < rounds(20); round++) {
      const session = await Session.create(store, sessionInfo());
      await session.close();
      const given = { location, sessionID: session.id };
      const workers = await Promise.all([0, 1, 2, 3].map(() => startWorker(given)));

      const answers = await Promise.all(workers.map(({ tell }) => tell('open')));

      const winner = answers.indexOf('done');
      expect(answers.toSorted()).toEqual([
        'done',
        ...Array<unknown>(3).fill(expect.stringMatching(/^refused: Session \S+ is in use by another process/)),
      ]);
      const holder = workers[winner]!;
      expect(await holder.tell('write')).toBe('done');
      const others = workers.filter((_, index) => index !== winner);
      expect(await others[0]!.tell('open')).toMatch(/^refused: Session .* is in use by/);

      const ended = exited(holder.program);
      holder.program.kill('SIGKILL');
      await ended;
      expect(await others[0]!.tell('open')).toBe('done');
      expect(await others[1]!.tell('open')).toMatch(/^refused: /);
      expect(await others[0]!.tell('write')).toBe('done');
      for (const { program } of others) program.stdin.end();
      await Promise.all(others.map(({ program }) => exited(program)));

      const titles = foldSession(await store.read(session.id))!;
      expect(titles.info.title).toBe(`by ${others[0]!.program.pid}`);
    }
  },
);

test.for(STORE_ENGINES)(
  'a process that slept so long that another one took its session writes nothing more to it, on %s',
  { timeout: 600_000 },
  async (engine) => {
    const location = await freshLocation(engine);
    const database = await openStore(location, { rooms: [agentMigrations] });
    onTestFinished(() => database.close());
    const store = new SessionStore(database);
    const session = await Session.create(store, sessionInfo());
    await session.close();
    const sleeper = await startWorker({ location, sessionID: session.id });
    expect(await sleeper.tell('open')).toBe('done');
    await database
      .tables<{ agent_sessions: { held_until: number } }>()
      .updateTable('agent_sessions')
      .set({ held_until: 1 })
      .execute();

    const mine = await Session.open(store, session.id);
    mine.append({ type: 'session-updated', title: 'mine' });
    await mine.stored();

    expect(await sleeper.tell('write')).toMatch(/^refused: Session \S+ is now in use by another process\.$/);
    expect(foldSession(await store.read(session.id))).toEqual(mine.state);
  },
);
