import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { foldSession, type SessionState } from '@dragoman/protocol';
import { openStore, type StoreEngine, type StoreLocation } from '@dragoman/server';
import { freshLocation, isSoak, rounds, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { agentMigrations } from '../agent-migrations.ts';
import { says, scriptedModel } from '../scripted-model.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';
import { exited, startProgram } from './program.fixture.ts';
import { scriptSettings } from './scripted-turns.fixture.ts';
import { expectSettled, expectValid, expectWellFormed } from './well-formed.fixture.ts';
import { working } from './working-session.fixture.ts';

const PROGRAM = fileURLToPath(new URL('work-until-killed.fixture.ts', import.meta.url));

interface Place {
  location: StoreLocation;
  folder: string;
  root: string;
  sessionID?: string;
}

/** What a program had printed when it was killed. */
interface LastWords {
  sessionID: string;
  stored: number[];
  admitted: string[];
  warnings: string[];
}

async function workAndKill(place: Place, lines: number): Promise<LastWords> {
  const program = startProgram(PROGRAM, place);
  const ended = exited(program);
  const words: LastWords = { sessionID: '', stored: [], admitted: [], warnings: [] };
  let seen = 0;
  for await (const line of createInterface({ input: program.stdout })) {
    const [word, value] = line.split(' ') as [string, string];
    if (word === 'session') words.sessionID = value;
    else if (word === 'stored') words.stored.push(Number(value));
    else if (word === 'admitted') words.admitted.push(value);
    else words.warnings.push(line);
    // Later lines were printed before the kill and count as well.
    if (++seen === lines) program.kill('SIGKILL');
  }
  expect(await ended).toBe('SIGKILL');
  return words;
}

/** Opens what was left, as the next process does; checks that nothing is missing, and works on. */
async function expectNothingLost(place: Place, words: LastWords): Promise<void> {
  const database = await openStore(place.location, { rooms: [agentMigrations] });
  try {
    const store = new SessionStore(database);
    const left = await store.read(words.sessionID);
    const before = foldSession(left)!;
    const numbers = new Set(left.map(({ seq }) => seq));
    for (const seq of words.stored) expect(numbers.has(seq)).toBe(true);
    const known = new Set([
      ...before.messages.map(({ info }) => info.id),
      ...before.queue.map(({ message }) => message.info.id),
    ]);
    for (const id of words.admitted) expect(known.has(id)).toBe(true);
    expect(words.warnings).toEqual([]);

    await expectGoesOn(store, words.sessionID, before, place.folder);
    // Sessions of tasks that were cut off are none the worse for it.
    const tasks = await database
      .tables<{ agent_sessions: { id: string; parent_id: string | null } }>()
      .selectFrom('agent_sessions')
      .select('id')
      .where('parent_id', '=', words.sessionID)
      .execute();
    for (const { id } of tasks.slice(-2))
      await expectGoesOn(store, id, foldSession(await store.read(id))!, place.folder);
  } finally {
    await database.close();
  }
}

async function expectGoesOn(
  store: SessionStore,
  id: string,
  before: SessionState,
  outputFolder: string,
): Promise<void> {
  const session = await Session.open(store, id);
  expectSettled(session.state);
  if (before.turn !== undefined && before.turn.finishedAt === undefined)
    expect(session.state.turn).toMatchObject({ id: before.turn.id, error: { code: 'interrupted' } });
  expect(session.state.messages.map(({ info }) => info.id)).toEqual(before.messages.map(({ info }) => info.id));
  expect(session.state.queue).toEqual(before.queue);

  const model = scriptedModel([says('here I am')]);
  const runner = working(session, { store, model, tools: [], settings: scriptSettings, outputFolder });
  await runner.prompt({ text: 'are you there?' });
  expect(await runner.idle()).toMatchObject({ text: 'here I am', error: undefined });
  expect(runner.state.queue).toEqual([]);
  for (const { prompt } of model.calls) expectWellFormed(prompt);
  await runner.close();
  const stored = await store.read(id);
  expect(foldSession(stored)).toEqual(runner.state);
  expectValid(stored, runner.state);
}

async function newPlace(engine: StoreEngine): Promise<Place> {
  const folder = tempFolder();
  const root = join(folder, 'project');
  mkdirSync(join(root, '.dragoman'), { recursive: true });
  return { location: await freshLocation(engine), folder, root };
}

test.for<[StoreEngine, number]>([
  ['sqlite', 200],
  ['postgres', 50],
])(
  'wherever a process at work is killed, on %s, nothing that it was told was stored is lost, and the session goes on',
  { timeout: isSoak() ? 7_200_000 : 600_000 },
  async ([engine, full]) => {
    let place = await newPlace(engine);
    let stored = 0;
    for (let kill = 0; kill < rounds(full); kill++) {
      // Most go on where the one before was killed; now and then there is a fresh session.
      if (kill % 5 === 4) place = await newPlace(engine);
      const words = await workAndKill(place, 1 + ((kill * 37 + 11) % 120));
      stored += words.stored.length;
      await expectNothingLost(place, words);
      place = { ...place, sessionID: words.sessionID };
    }
    expect(stored).toBeGreaterThan(0);
    if (isSoak()) console.log(`${engine}: ${rounds(full)} kills, ${stored} batches were stored before them`);
  },
);
