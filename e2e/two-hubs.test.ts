import type { HubChange, HubClient } from '@dragoman/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { CountingPrompt } from './counting-agent.fixture.ts';
import {
  answersIn,
  counted,
  follow,
  type HubProcess,
  openBalancer,
  SharedHub,
  upTo,
  wholeView,
} from './two-hubs.fixture.ts';

const soon = { timeout: 60_000, interval: 50 };

/** Two processes of one hub, started at the same moment on an empty database, and what each calls its own machine. */
async function openTwo() {
  const hub = await SharedHub.open();
  const [a, b] = await Promise.all([hub.serve('a'), hub.serve('b')]);
  const idOf = async (name: string) => (await runners(a.client)).find((runner) => runner.name === name)!.id;
  // The second is there although nobody has called it yet.
  await expect.poll(() => connected(a.client), soon).toEqual(['a', 'b']);
  return { hub, a, b, runnerA: await idOf('a'), runnerB: await idOf('b') };
}

async function runners(client: HubClient) {
  return (await client.listRunners()).runners;
}

async function connected(client: HubClient) {
  return (await runners(client)).filter(({ isConnected }) => isConnected).map(({ name }) => name);
}

function ask(client: HubClient, sessionId: string, prompt: CountingPrompt & { id: string }) {
  const { id, ...text } = prompt;
  return client.sendPrompt({ sessionId, id, text: JSON.stringify(text) });
}

/** The models that a process answers for. */
async function modelsOf({ url, token }: HubProcess): Promise<string[]> {
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

/** What lists are told by a process, until the test is over. */
function followChanges(client: HubClient): HubChange[] {
  const changes: HubChange[] = [];
  const leaving = new AbortController();
  const followed = client.followChanges({ signal: leaving.signal, onChange: (change) => changes.push(change) });
  onTestFinished(async () => {
    leaving.abort();
    await followed;
  });
  return changes;
}

test('two processes on one PostgreSQL are one hub: a session at one is followed, prompted and approved through the other [UAP-02, UAP-04]', async () => {
  const { hub, a, b, runnerA, runnerB } = await openTwo();
  expect(runnerA).not.toBe(runnerB);
  expect(await connected(b.client)).toEqual(['a', 'b']);
  expect(new Set((await runners(b.client)).map(({ owner }) => owner)).size).toBe(1);

  const changes = followChanges(b.client);
  const folder = hub.newFolder('counting');
  const { id } = await a.client.createSession({ agent: 'counter', folder, runnerId: runnerA, title: 'At A' });
  const [readerA, readerB] = [follow(a.client, id), follow(b.client, id)];
  await ask(b.client, id, { id: 'p', blocks: 12, askBefore: [3, 5, 7, 9] });

  // While the agent waits, everything before is on the screens of the other process.
  await expect.poll(() => counted(readerB.view), soon).toEqual(['1', '2']);
  const outcomes: string[] = [];
  for (const block of [3, 5, 7, 9]) {
    const approvalId = `p-${block}`;
    await expect
      .poll(async () => (await b.client.listApprovals()).approvals.map((approval) => approval.id), soon)
      .toEqual([approvalId]);
    const decide = (client: HubClient, optionId: string) =>
      client.decideApproval({ sessionId: id, approvalId, optionId }).then(
        () => `${approvalId} ${optionId}`,
        (error: unknown) => error,
      );
    const said = await Promise.all([decide(a.client, 'a'), decide(b.client, 'b')]);
    outcomes.push(...said.filter((one) => typeof one === 'string'));
    expect(said.filter((one) => typeof one !== 'string')).toEqual([
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('Already answered') }),
    ]);
  }
  await expect.poll(() => readerB.view?.turn?.reason, soon).toBe('done');
  await expect.poll(() => readerA.view?.turn?.reason, soon).toBe('done');

  expect(outcomes).toHaveLength(4);
  expect(answersIn(folder)).toEqual(outcomes);
  expect(counted(readerB.view)).toEqual(upTo(12));
  expect(readerA.view).toEqual(readerB.view);
  expect(await wholeView(b.client, id)).toEqual(readerB.view);
  const told = changes.filter((change) => change.type === 'session' && change.session.id === id);
  expect(told.length).toBeGreaterThan(0);
  await expect
    .poll(() => changes.findLast((change) => change.type === 'session' && change.session.id === id), soon)
    .toMatchObject({ session: { title: 'At A', isOnline: true, lastText: '12' } });

  const listing = await b.client.listFolder({ runnerId: runnerA, path: hub.newFolder('.') });
  expect(listing.folders.map(({ name }) => name)).toEqual(['counting']);
});

test('readers at every process get everything when the connections to PostgreSQL break [UAP-02, UAP-03]', async () => {
  const { hub, a, b, runnerA, runnerB } = await openTwo();
  const open = (name: string, runnerId: string) =>
    a.client.createSession({ agent: 'counter', folder: hub.newFolder(name), runnerId });
  const [atA, atB] = [await open('at-a', runnerA), await open('at-b', runnerB)];
  const readers = [follow(b.client, atA.id), follow(a.client, atB.id)];
  const changes = followChanges(b.client);
  await ask(b.client, atA.id, { id: 'p', blocks: 400, everyMs: 10 });
  await ask(a.client, atB.id, { id: 'p', blocks: 400, everyMs: 10 });

  for (const which of ['listening', 'listening', 'all', 'listening', 'all'] as const) {
    const seen = readers.map(({ events }) => events.length);
    await expect
      .poll(
        () => readers.every(({ events, view }, index) => events.length > seen[index]! + 20 || view?.turn?.reason),
        soon,
      )
      .toBeTruthy();
    expect(await hub.cutConnections(which)).toBeGreaterThan(1);
  }

  for (const [index, { id }] of [atA, atB].entries()) {
    const reader = readers[index]!;
    await expect.poll(() => reader.view?.turn?.reason, soon).toBe('done');
    expect(counted(reader.view)).toEqual(upTo(400));
    expect(await wholeView(a.client, id)).toEqual(reader.view);
    const numbers = reader.events.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  }
  // Lists are told again as well.
  await expect.poll(() => connected(b.client), soon).toEqual(['a', 'b']);
  changes.length = 0;
  await expect
    .poll(async () => {
      await a.client.updateSession({ sessionId: atA.id, pinned: true });
      return changes.some((change) => change.type === 'session' && change.session.isPinned);
    }, soon)
    .toBe(true);
});

test('a runner goes on at another process when it is moved or its own is killed, and machines of the dead one are shown as away [UAP-02, UAP-03]', async () => {
  const { hub, a, b } = await openTwo();
  const balancer = await openBalancer(a);
  hub.startRunner('c', balancer.url);
  await expect.poll(() => connected(b.client), soon).toEqual(['a', 'b', 'c']);
  const runnerC = (await runners(b.client)).find(({ name }) => name === 'c')!.id;
  const folder = hub.newFolder('moving');
  const { id } = await a.client.createSession({ agent: 'counter', folder, runnerId: runnerC });
  const reader = follow(b.client, id);
  const changes = followChanges(b.client);
  await ask(b.client, id, { id: 'p-1', blocks: 600, everyMs: 5, askBefore: [200, 400, 599] });
  await ask(a.client, id, { id: 'p-2', blocks: 5, askBefore: [3] });
  const soFar = () => counted(reader.view).length;
  // A question comes after the block before it, and may come a moment later.
  const decide = async (approvalId: string) => {
    await expect.poll(() => reader.view?.approvals.map((approval) => approval.id), soon).toContain(approvalId);
    await b.client.decideApproval({ sessionId: id, approvalId, optionId: 'a' });
  };

  // It moves while both are well, there and back.
  for (const [hubProcess, gate] of [
    [b, 200],
    [a, 400],
  ] as const) {
    await expect.poll(soFar, soon).toBeGreaterThan(gate - 180);
    balancer.moveTo(hubProcess);
    await expect.poll(soFar, soon).toBe(gate - 1);
    for (const { client } of [a, b]) await expect.poll(() => connected(client), soon).toEqual(['a', 'b', 'c']);
    await decide(`p-1-${gate}`);
  }
  await expect.poll(soFar, soon).toBeGreaterThan(420);
  await a.kill();
  balancer.moveTo(b);

  await expect.poll(soFar, soon).toBe(598);
  await decide('p-1-599');
  await decide('p-2-3');
  await expect.poll(() => reader.view?.turns.map(({ reason }) => reason), soon).toEqual(['done', 'done']);
  expect(counted(reader.view)).toEqual(upTo(605));
  expect(answersIn(folder)).toEqual(['p-1-200 a', 'p-1-400 a', 'p-1-599 a', 'p-2-3 a']);
  expect(await wholeView(b.client, id)).toEqual(reader.view);

  await expect.poll(() => connected(b.client), soon).toEqual(['b', 'c']);
  await expect
    .poll(() => changes.findLast((change) => change.type === 'runner' && change.runner.name === 'a'), soon)
    .toMatchObject({ runner: { isConnected: false } });
});

test('settings that are changed through one process are in force at every other one, and at one that is started later', async () => {
  const { hub, a, b } = await openTwo();
  const { version } = await b.console.readSettings();
  const provider = { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '{secret:key}', models: ['m'] };

  await a.console.changeSettings({
    version,
    changes: [{ path: ['providers', 'shared'], value: provider }],
    secrets: { key: 'sk-shared' },
  });

  await expect.poll(() => modelsOf(b), soon).toContain('shared/m');
  expect((await b.console.listSecrets()).secrets).toEqual([{ name: 'key', usedBy: ['providers.shared.apiKey'] }]);
  expect(await modelsOf(await hub.serve('late'))).toContain('shared/m');
  await b.console.changeSettings({ changes: [{ path: ['providers', 'shared'] }] });
  await expect.poll(() => modelsOf(a), soon).not.toContain('shared/m');
});
