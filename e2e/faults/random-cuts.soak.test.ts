import { isSoak } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectNothingLost, type Found } from './expect-nothing-lost.fixture.ts';
import { countSaid, FollowedSession, sooner } from './followed-session.fixture.ts';
import { HubAndRunner } from './hub-and-runner.fixture.ts';

const SIZE = isSoak()
  ? { rounds: 10, cuts: 12, sessions: 10, blocks: 480 }
  : { rounds: 1, cuts: 4, sessions: 3, blocks: 60 };

/** When connections break in a round, by how many blocks were said before, and how. */
function drawCuts(round: number) {
  const most = Math.floor((SIZE.sessions * SIZE.blocks) / SIZE.cuts);
  const cut = fc.record({
    blocksBefore: fc.nat({ max: most - 1 }),
    how: fc.constantFrom('end' as const, 'reset' as const),
    isHit: fc.infiniteStream(fc.boolean()),
  });
  return fc.sample(cut, { numRuns: SIZE.cuts, seed: round });
}

test('however often connections between a runner, its readers and the hub break, every block is there once and in order', async () => {
  const both = await HubAndRunner.open();
  const sessions: FollowedSession[] = [];
  for (let index = 0; index < SIZE.sessions; index++)
    sessions.push(await FollowedSession.start(both, { name: `s${index}`, isFar: index % 2 === 0 }));
  const said = () => countSaid(sessions);
  let dropped = 0;

  for (let round = 0; round < SIZE.rounds; round++) {
    await Promise.all(sessions.map((session) => session.prompt({ blocks: SIZE.blocks, everyMs: 5 })));
    for (const { blocksBefore, how, isHit } of drawCuts(round)) {
      const next = said() + blocksBefore;
      const last = (round + 1) * SIZE.sessions * SIZE.blocks;
      await sooner(async () => (said() >= Math.min(next, last) ? true : undefined));
      dropped += both.proxy.drop(how, () => isHit.next().value!);
    }
    await Promise.all(sessions.map((session) => session.drained()));
  }

  const found: Found[] = [];
  for (const session of sessions) found.push(await expectNothingLost(session, new Set()));
  const whole = { blocks: SIZE.rounds * SIZE.blocks, unheard: 0, prompts: SIZE.rounds, approvals: 0 };
  expect(found).toEqual(sessions.map(() => whole));
  expect(dropped).toBeGreaterThanOrEqual(SIZE.rounds * SIZE.cuts);
  if (isSoak()) console.log(`${SIZE.rounds * SIZE.cuts} cuts, ${dropped} connections broken`);
});
