import type { HubClient } from '@dragoman/protocol';
import { isSoak, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { countingHome, startCounting } from '../counting-home.fixture.ts';
import { serveHub, turnsOver, viewUntil } from '../hub.fixture.ts';
import { until } from '../many-servers/until-acknowledged.fixture.ts';
import { answersIn, counted, SharedHub, upTo } from '../two-hubs.fixture.ts';
import { expectNothingLost } from './expect-nothing-lost.fixture.ts';
import { FollowedSession, sooner } from './followed-session.fixture.ts';
import { HubAndRunner, type Machine } from './hub-and-runner.fixture.ts';
import { agentNotes } from './noting-agent.fixture.ts';

/** Who answers at the same time: somebody three times, or two through different servers on one PostgreSQL. */
const ANSWERING: [who: string, asked: number, open: () => Promise<HubClient[]>][] = [
  [
    'three at one server',
    isSoak() ? 35 : 3,
    async () => {
      const { owner } = await serveHub(undefined, { home: countingHome() });
      return [owner, owner, owner];
    },
  ],
  [
    'two at two servers',
    isSoak() ? 20 : 3,
    async () => {
      const hub = await SharedHub.open();
      const servers = await Promise.all([hub.serve('a'), hub.serve('b')]);
      return servers.map(({ client }) => client);
    },
  ],
];

/** The answers that are given, what the agent notes of each, and how those who come too late are told of it. */
const ANSWERS = [
  { body: { optionId: 'a' }, heard: 'a', told: 'A' },
  { body: { optionId: 'b' }, heard: 'b', told: 'B' },
  { body: { reject: true }, heard: 'undefined', told: 'Denied' },
] as const;

test.for(ANSWERING)(
  'of answers that are given at once one counts, and the agent hears that one: %s',
  async ([, asked, open]) => {
    const clients = await open();
    const [client, folder] = [clients[0]!, tempFolder()];
    const sessionId = await startCounting(
      client,
      { blocks: asked, askBefore: Array.from({ length: asked }, (_, index) => index + 1) },
      folder,
    );

    const accepted: string[] = [];
    for (let question = 0; question < asked; question++) {
      const view = await viewUntil(client, sessionId, ({ approvals }) => approvals.length === question + 1);
      const approvalId = view.approvals.at(-1)!.id;
      const answers = clients.map(async (one, index) => {
        const { body, heard, told } = ANSWERS[index]!;
        await one.decideApproval({ sessionId, approvalId, ...body });
        return { heard: `${approvalId} ${heard}`, told };
      });
      const settled = await Promise.allSettled(answers);
      const taken = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(taken).toHaveLength(1);
      accepted.push(taken[0]!.heard);
      const message = `Already answered: ${taken[0]!.told}, by owner (api).`;
      expect(refused).toEqual(clients.slice(1).map(() => expect.objectContaining({ code: 'conflict', message })));
    }

    expect((await turnsOver(client, sessionId)).turn!.reason).toBe('done');
    expect(accepted).toHaveLength(asked);
    expect(answersIn(folder)).toEqual(accepted);
  },
);

test.for(['away', 'own'] satisfies Machine[])(
  'an approval waits through a kill of the hub, and an answer that was taken before the next kill reaches the agent once: at the %s machine',
  async (machine) => {
    const both = await HubAndRunner.open();
    const session = await FollowedSession.start(both, { name: 'asking', isFar: false, machine });
    const kills = isSoak() ? 18 : 2;
    const restart = async () => {
      await both.killHub();
      await both.startHub();
    };

    for (let kill = 0; kill < kills; kill++) {
      session.isAnswered = false;
      await session.prompt({ blocks: 4, everyMs: 5, askBefore: 2 });
      const approvalId = `ask-${session.accepted.at(-1)}`;
      await sooner(async () =>
        session.view?.approvals.some(({ id }) => id === approvalId) === true ? true : undefined,
      );
      await restart();
      expect(await session.waitingApprovals()).toEqual([approvalId]);

      session.isAnswered = true;
      await sooner(async () => (session.counted.length > kill ? true : undefined));
      await restart();
      await session.drained();
    }

    expect(await expectNothingLost(session, new Set())).toEqual({
      blocks: kills * 4,
      unheard: 0,
      prompts: kills,
      approvals: kills,
    });
    expect(session.counted).toHaveLength(kills);
    const heard = agentNotes(session.folder).flatMap((note) =>
      'answer' in note ? [`${note.answer} ${note.reply.optionId}`] : [],
    );
    expect(heard).toEqual(session.counted);
  },
);

test('an approval whose agent was ended with the server is withdrawn, and an answer that comes later is refused in words', async () => {
  const home = countingHome();
  const first = await serveHub(undefined, { home });
  const sessionId = await startCounting(first.owner, { blocks: 3, askBefore: [2] });
  const { approvals } = await viewUntil(first.owner, sessionId, (view) => view.approvals.length > 0);
  await first.stop('SIGINT');

  const { owner } = await serveHub(undefined, { home });
  await turnsOver(owner, sessionId);
  expect((await owner.listApprovals()).approvals).toEqual([]);
  await expect(owner.decideApproval({ sessionId, approvalId: approvals[0]!.id, optionId: 'a' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Already answered: Withdrawn, by the agent.',
  });
});

test.for(['up', 'down'])(
  'an approval that nobody answers in time is denied, with the hub %s at that moment',
  async (hub) => {
    const home = countingHome({ hub: { approvalMinutes: isSoak() ? 1 : 0.05 } });
    const first = await serveHub(undefined, { home });
    const folder = tempFolder();
    const sessionId = await startCounting(first.owner, { blocks: 3, askBefore: [2] }, folder);
    await expect.poll(async () => (await first.owner.listApprovals()).approvals.length).toBe(1);
    const { expiresAt, id } = (await first.owner.listApprovals()).approvals[0]!;

    let { owner } = first;
    if (hub === 'down') {
      await first.stop('SIGKILL');
      await until('the time is over', () => Date.now() > expiresAt);
      ({ owner } = await serveHub(undefined, { home }));
    }
    const view = await turnsOver(owner, sessionId);

    expect(view.approvals[0]!.decided).toMatchObject({ reply: { type: 'rejected' }, by: { type: 'time-limit' } });
    expect(view.approvals[0]!.decided!.at).toBeGreaterThanOrEqual(expiresAt);
    expect(answersIn(folder)).toEqual([`${id} undefined`]);
    expect(counted(view)).toEqual(upTo(3));
  },
);
