import type { HubChange, HubRunner } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { putRunners, putSessions } from './put-changes.ts';
import { noteChanges, readWhileFollowed } from './read-while-followed.ts';
import { hubSession } from './session.fixture.ts';

const machine = (agents: readonly string[]): HubRunner => ({
  id: 'run_a',
  name: 'desk',
  host: 'desk',
  version: '1.0.0',
  owner: 'Ada',
  isShared: false,
  isConnected: true,
  lastSeenAt: 0,
  folders: [],
  agents: agents.map((name) => ({ name, backend: name, capabilities: {} })),
});

test('an answer from before a change that was told meanwhile does not undo it', async () => {
  const answer = Promise.withResolvers<HubRunner[]>();
  const reading = readWhileFollowed(() => answer.promise, putRunners);

  noteChanges([{ type: 'runner', runner: machine(['native', 'mine']) }]);
  answer.resolve([machine(['native'])]);

  expect((await reading)[0]!.agents.map(({ name }) => name)).toEqual(['native', 'mine']);
});

test('of several changes of one session the last holds, and one that was removed stays away', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof hubSession>[]>();
  const reading = readWhileFollowed(() => answer.promise, putSessions);

  const told: HubChange[] = [
    { type: 'session', session: hubSession({ id: 'a', title: 'first' }) },
    { type: 'session-removed', sessionId: 'b' },
    { type: 'session', session: hubSession({ id: 'c', isArchived: true }) },
    { type: 'session', session: hubSession({ id: 'd', title: 'new' }) },
  ];
  for (const change of told) noteChanges([change]);
  noteChanges([{ type: 'session', session: hubSession({ id: 'a', title: 'second' }) }]);
  answer.resolve(['a', 'b', 'c', 'e'].map((id) => hubSession({ id })));

  const shown = (await reading).map(({ id, title }) => `${id} ${title}`);
  expect(shown.toSorted()).toEqual(['a second', 'd new', 'e e']);
});

test('what was told before it was asked for is in the answer, and not put there again', async () => {
  noteChanges([{ type: 'runner', runner: machine(['gone']) }]);

  const read = await readWhileFollowed(() => Promise.resolve([machine(['native'])]), putRunners);

  expect(read[0]!.agents.map(({ name }) => name)).toEqual(['native']);
});

test('a question that fails leaves nothing behind, and the next one is answered', async () => {
  await expect(readWhileFollowed(() => Promise.reject(new Error('away')), putRunners)).rejects.toThrow('away');

  expect(await readWhileFollowed(() => Promise.resolve([]), putRunners)).toEqual([]);
});
