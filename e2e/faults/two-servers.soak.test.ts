import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type HubClient, newId } from '@dragoman/protocol';
import { isSoak, startPostgres, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { CountingPrompt } from '../counting-agent.fixture.ts';
import { untilAcknowledged } from '../many-servers/until-acknowledged.fixture.ts';
import { counted, follow, type HubProcess, promptsIn, SharedHub, upTo, wholeView } from '../two-hubs.fixture.ts';

const SIZE = isSoak()
  ? { blocks: 1_500, prompts: 50, outages: 4, awayMs: 10_000, sessions: 4, blocksEach: 3_400 }
  : { blocks: 150, prompts: 10, outages: 1, awayMs: 0, sessions: 2, blocksEach: 100 };

/** Two servers on one database, and a session of the counting agent at the first one's machine. */
async function openTwo(hub: SharedHub) {
  const [a, b] = await Promise.all([hub.serve('a'), hub.serve('b')]);
  const startSession = async (name: string) => {
    const runnerId = (await a.client.listRunners()).runners.find((runner) => runner.name === 'a')!.id;
    const folder = hub.newFolder(name);
    const { id } = await a.client.createSession({ agent: 'counter', folder, runnerId });
    return { id, folder };
  };
  return { a, b, startSession };
}

function ask(client: HubClient, sessionId: string, prompt: CountingPrompt) {
  const message = { sessionId, id: newId('msg'), text: JSON.stringify(prompt) };
  return untilAcknowledged(() => client.sendPrompt(message));
}

test('an agent of a server that is killed goes on, and what another server was asked meanwhile is done when the first is back', async () => {
  const hub = await SharedHub.open();
  const { b, a, startSession } = await openTwo(hub);
  const { id } = await startSession('going-on');
  const reader = follow(b.client, id);
  await ask(b.client, id, { blocks: SIZE.blocks, everyMs: 1 });
  await expect.poll(() => counted(reader.view).length).toBeGreaterThan(SIZE.blocks / 5);

  await a.kill();
  await ask(b.client, id, { blocks: 5 });
  const again = await hub.serve('a');

  await expect.poll(() => reader.view?.turns.map(({ reason }) => reason)).toEqual(['done', 'done']);
  expect(counted(reader.view)).toEqual(upTo(SIZE.blocks + 5));
  expect(await wholeView(again.client, id)).toEqual(reader.view);
});

test('prompts that come through two servers at once have one turn each, in the order in which they were taken', async () => {
  const { a, b, startSession } = await openTwo(await SharedHub.open());
  const { id, folder } = await startSession('in-turn');
  const reader = follow(b.client, id);

  await Promise.all(
    Array.from({ length: SIZE.prompts }, (_, index) => ask((index % 2 === 0 ? a : b).client, id, { blocks: 1 })),
  );

  const done = Array.from({ length: SIZE.prompts }, () => 'done');
  await expect.poll(() => reader.view?.turns.map(({ reason }) => reason)).toEqual(done);
  const queued = reader.events.flatMap(({ event }) => (event.type === 'prompt-queued' ? [event.prompt.id] : []));
  expect(promptsIn(folder)).toEqual(queued);
  expect(counted(reader.view)).toEqual(upTo(SIZE.prompts));
});

test('a database that stops in a hurry under two servers costs nobody a word, and what was asked around it is done once', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const { a, b, startSession } = await openTwo(new SharedHub(`${postgres.baseUrl}/postgres`));
  const sessions = [];
  for (let index = 0; index < SIZE.sessions; index++) {
    const session = await startSession(`session-${index}`);
    sessions.push({ ...session, readers: [a, b].map(({ client }) => follow(client, session.id)) });
  }
  for (const { id } of sessions) await ask(b.client, id, { blocks: SIZE.blocksEach, everyMs: 2 });

  const asked: string[] = [];
  for (let outage = 1; outage <= SIZE.outages; outage++) {
    const part = (SIZE.blocksEach / (SIZE.outages + 1)) * outage;
    const first = sessions[0]!;
    await expect.poll(() => counted(first.readers[0]!.view).length).toBeGreaterThan(part);
    await postgres.halt('SIGQUIT');
    const asking = ask(b.client, first.id, { blocks: 1 });
    await delay(SIZE.awayMs);
    await postgres.resume();
    await asking;
    asked.push(first.id);
  }

  for (const { id, readers, folder } of sessions) {
    const more = asked.filter((one) => one === id).length;
    const whole = Array.from({ length: 1 + more }, () => 'done');
    for (const reader of readers) {
      await expect.poll(() => reader.view?.turns.map(({ reason }) => reason)).toEqual(whole);
      expect(counted(reader.view)).toEqual(upTo(SIZE.blocksEach + more));
      const numbers = reader.events.map(({ seq }) => seq);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    }
    expect(promptsIn(folder)).toHaveLength(1 + more);
    expect(await wholeView(a.client, id)).toEqual(readers[0]!.view);
  }
});

async function findSymbol({ url, token }: HubProcess, name: string): Promise<string[]> {
  const response = await fetch(`${url}/find_symbol`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  const { results } = (await response.json()) as { results: { path: string }[] };
  return results.map(({ path }) => path);
}

test('a folder that was indexed at one server is found by another, and so are its edits', async () => {
  const hub = await SharedHub.open();
  const { b } = await openTwo(hub);
  const root = tempFolder();
  writeFileSync(join(root, 'bell.ts'), 'export function ringTheBell() {\n  return true;\n}\n');
  expect(await hub.run('a', ['index', root])).toMatchObject({ exitCode: 0 });

  await expect.poll(() => findSymbol(b, 'ringTheBell')).toEqual(['bell.ts']);
  writeFileSync(join(root, 'bell.ts'), 'export function ringTheGong() {\n  return true;\n}\n');
  await expect.poll(() => findSymbol(b, 'ringTheGong')).toEqual(['bell.ts']);
  expect(await findSymbol(b, 'ringTheBell')).toEqual([]);
});
