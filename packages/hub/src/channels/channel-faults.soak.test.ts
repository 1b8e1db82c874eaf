import { partMaker, SessionFold } from '@dragoman/protocol';
import { rounds } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { readPage } from '../log/read-events.ts';
import { adds, begin, ends, finish, openScene, opens, type Scene } from './chats.fixture.ts';
import type { DeliveryProblem } from './delivery-error.ts';
import { type SlateFault, slateRenderer } from './slate.fixture.ts';

const CHATS = ['a', 'b', 'c', 'd'];
const SEED = 8;

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Every fourth call fails, in all the ways there are in which nothing is lost for good. */
function faultsOf(random: (below: number) => number): () => SlateFault | undefined {
  const problems: DeliveryProblem[] = [{ type: 'later' }, { type: 'later', afterMs: 3_000 }, { type: 'uncertain' }];
  return () => {
    const roll = random(400);
    if (roll === 0) return { when: 'hang' };
    if (roll === 1) return { when: 'before', problem: { type: 'revoked' } };
    if (roll < 40) return { when: 'after', problem: { type: 'uncertain' } };
    return roll < 100 ? { when: 'before', problem: problems[roll % 3]! } : undefined;
  };
}

/** What a chat should say of a session, message by message, without its questions. */
async function expectedTexts({ door }: Scene, sessionId: string): Promise<string[]> {
  const place = { db: door.store.tables<HubTables>(), engine: door.store.engine };
  const fold = new SessionFold();
  for (let isLast = false; !isLast;) {
    const page = await readPage(place, sessionId, { after: fold.seq, limit: 500 });
    fold.add(page.events);
    ({ isLast } = page);
  }
  const view = fold.finish()!;
  const scene = { view, language: 'en' as const, link: undefined, ownPrompts: new Map<string, string>() };
  return partMaker()(view).flatMap((part) => slateRenderer.part(part, scene).map(({ body }) => body.text));
}

test.each(['sqlite', 'postgres'] as const)(
  'with faults at random and restarts in between, every chat on %s says in the end what its session says, each message once',
  async (engine) => {
    const scene = await openScene(engine);
    const { slate, door } = scene;
    const random = randomOf(SEED);
    slate.paceMs = 100;
    slate.fault = faultsOf(random);
    const { id: other } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code', title: 'Other' });
    const sessions = [scene.sessionId, other];
    const shows = (chatId: string) => sessions[CHATS.indexOf(chatId) % 2]!;
    for (const chatId of CHATS) await scene.chat(chatId, { session_id: shows(chatId) });

    const messages = () => CHATS.reduce((sum, chatId) => sum + slate.messages(chatId).length, 0);
    const most = rounds(1_000);
    let turns = 0;
    let killedAt = 0;
    while (messages() < most) {
      for (const sessionId of sessions) await takeTurn(scene, sessionId, `t${++turns}`, random);
      // Each turn is a message in two chats, or more; a little behind is what it is about.
      await scene.until(() => messages() > turns * 2 - 20 + random(20));
      if (messages() - killedAt < most / 12) continue;
      killedAt = messages();
      await scene.kill();
    }

    for (const chatId of CHATS) {
      const expected = await expectedTexts(scene, shows(chatId));
      await scene.until(() => JSON.stringify(answers(scene, chatId)) === JSON.stringify(expected)).catch(() => {});
      expect(answers(scene, chatId)).toEqual(expected);
      const questions = slate.texts(chatId).filter((text) => text.startsWith('?'));
      expect(new Set(questions).size).toBe(questions.length);
      await scene.until(() => slate.texts(chatId).every((text) => !text.startsWith('?') || text.includes(' by ')));
      await scene.until(async () => (await scene.posts(chatId)).every(({ state }) => state === 'done'));
      expect(await scene.posts(chatId)).toHaveLength(slate.messages(chatId).length);
    }
  },
);

const answers = ({ slate }: Scene, chatId: string) => slate.texts(chatId).filter((text) => !text.startsWith('?'));

/** Something is said in pieces; now and then something is asked, and answered. */
async function takeTurn(
  { runner, door }: Scene,
  sessionId: string,
  turnId: string,
  random: (below: number) => number,
): Promise<void> {
  const blockId = `blk_${turnId}`;
  await runner.say(sessionId, [begin(turnId), opens(blockId, `${turnId} `)]);
  let text = `${turnId} `;
  for (let piece = random(4); piece > 0; piece -= 1) {
    const more = String.fromCodePoint(97 + random(26)).repeat(1 + random(90));
    text += more;
    await runner.say(sessionId, [adds(blockId, more)]);
  }
  await runner.say(sessionId, [ends(blockId, text)]);
  if (random(4) === 0) {
    const approvalId = `apr_${turnId}`;
    await runner.say(sessionId, [approvalAsked(approvalId, { title: `Run ${turnId}` })]);
    if (random(2) === 0) await door.owner.client.decideApproval({ sessionId, approvalId, optionId: 'yes' });
  }
  await runner.say(sessionId, [finish(turnId)]);
}
