import { setTimeout as delay } from 'node:timers/promises';
import { isSoak } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { expectNothingLost } from './expect-nothing-lost.fixture.ts';
import { FollowedSession } from './followed-session.fixture.ts';
import { HubAndRunner, type Machine } from './hub-and-runner.fixture.ts';
import { agentNotes } from './noting-agent.fixture.ts';

/** Where the session runs, who is killed, and how often in a soak. */
const CASES: [machine: Machine, killed: 'hub' | 'runner', kills: number][] = [
  ['own', 'hub', 20],
  ['away', 'hub', 11],
  ['away', 'runner', 11],
];

test.for(CASES)(
  'a prompt that two send at once, and again after a kill, is one prompt and one turn: at the %s machine, with the %s killed',
  async ([machine, killed, kills]) => {
    const both = await HubAndRunner.open();
    const session = await FollowedSession.start(both, { name: 'twice', isFar: false, machine });
    const count = isSoak() ? kills : 2;

    for (let kill = 0; kill < count; kill++) {
      const prompting = session.prompt({ blocks: 3, everyMs: 0 }, { senders: 2 });
      prompting.catch(() => {}); // Waited for below.
      await delay((kill * 13) % 60); // Before, while and after it is taken.
      if (killed === 'hub') {
        await both.killHub();
        await both.startHub();
      } else {
        await both.killRunner();
        both.startRunner();
      }
      await prompting;
      await session.drained();
    }

    expect(await expectNothingLost(session, new Set())).toMatchObject({ prompts: count });
    const { turns } = session.view!;
    expect(turns).toHaveLength(count);
    const given = agentNotes(session.folder).flatMap((note) => ('prompt' in note ? [note.prompt] : []));
    expect(given).toEqual([...new Set(given)]);
    // Where the agents' process lives on, no turn breaks off.
    const broken = turns.filter(({ reason }) => reason !== 'done');
    expect(killed === 'hub' ? broken : []).toEqual([]);
  },
);
