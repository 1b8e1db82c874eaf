import { isSoak } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { expectNothingLost, type Found } from './expect-nothing-lost.fixture.ts';
import { countSaid, FollowedSession, sooner } from './followed-session.fixture.ts';
import { HubAndRunner } from './hub-and-runner.fixture.ts';

const SIZE = isSoak() ? { kills: 15, sessions: 10, blocks: 100 } : { kills: 2, sessions: 3, blocks: 40 };

test('agents of a server that is killed again and again say every block once and in order, and none is left when it is stopped', async () => {
  const both = await HubAndRunner.open();
  const sessions: FollowedSession[] = [];
  for (let index = 0; index < SIZE.sessions; index++)
    sessions.push(await FollowedSession.start(both, { name: `s${index}`, isFar: false, machine: 'own' }));
  const said = () => countSaid(sessions);

  for (let kill = 0; kill < SIZE.kills; kill++) {
    const already = said();
    await Promise.all(sessions.map((session) => session.prompt({ blocks: SIZE.blocks, everyMs: 5 })));
    // Earlier in one round, later in the next.
    const part = (kill + 1) / (SIZE.kills + 1);
    await sooner(async () => (said() >= already + part * SIZE.sessions * SIZE.blocks ? true : undefined));
    await both.killHub();
    await both.startHub();
    await Promise.all(sessions.map((session) => session.drained()));
  }

  const found: Found[] = [];
  for (const session of sessions) found.push(await expectNothingLost(session, new Set()));
  const whole = { blocks: SIZE.kills * SIZE.blocks, unheard: 0, prompts: SIZE.kills, approvals: 0 };
  expect(found).toEqual(sessions.map(() => whole));
  expect(sessions.map(({ view }) => view!.turns.filter(({ reason }) => reason === 'done').length)).toEqual(
    sessions.map(() => SIZE.kills),
  );

  // Each with its child. They outlived every server, and end when somebody says so.
  expect(both.agentProcesses()).toHaveLength(SIZE.sessions * 2);
  await both.killHub();
  await both.stopHub();
  await expect.poll(() => both.agentProcesses()).toEqual([]);
});
