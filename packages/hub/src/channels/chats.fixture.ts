import type { RunnerEvent } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import { type HubDoor, openHubDoor, type Person } from '../hub-door.fixture.ts';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import { said, type ScriptedRunner } from '../scripted-runner.fixture.ts';
import { ManualClock, passUntil } from './manual-clock.fixture.ts';
import { Slate } from './slate.fixture.ts';

/** A hub with a slate, a runner, a session, and chats that show it. */
export interface Scene {
  slate: Slate;
  door: HubDoor;
  /** The clock of the hub that was opened last. */
  clock: ManualClock;
  runner: ScriptedRunner;
  sessionId: string;
  /** Makes a chat that shows a session from a number on, of somebody who only reads, and wakes it. */
  chat(chatId: string, given?: Partial<HubTables['hub_chats']>): Promise<void>;
  /** Changes a chat as a command would, and wakes it. */
  change(chatId: string, given: Partial<HubTables['hub_chats']>): Promise<void>;
  /** Lets time pass until a chat says this. */
  reads(chatId: string, texts: readonly string[]): Promise<void>;
  until(check: () => boolean | Promise<boolean>): Promise<void>;
  say(...events: RunnerEvent[]): Promise<void>;
  posts(chatId: string): Promise<HubTables['hub_chat_posts'][]>;
  /** Everything that a session says is in the chat for good. */
  seen(chatId: string): Promise<void>;
  /** Binds the account of a chat to a person. */
  bind(chatId: string, person: Person): Promise<void>;
  /** Kills the hub and opens another one, after the lease of the first has run out. */
  kill(): Promise<void>;
}

/** Opens the scene, with a second channel where there is chalk for it. */
export async function openScene(
  engine: StoreEngine = 'sqlite',
  { slate = new Slate(), isOn = true, chalk, log }: { slate?: Slate; isOn?: boolean; chalk?: Slate; log?: HubLog } = {},
): Promise<Scene> {
  const clocks: ManualClock[] = [];
  let laterMs = 0;
  const door = await openHubDoor({
    engine,
    ...(log !== undefined && { log }),
    kinds: [slate.kind, ...(chalk === undefined ? [] : [{ ...chalk.kind, name: 'chalk', title: 'Chalk' }])],
    clock: () => {
      const clock = new ManualClock((clocks.at(-1)?.now() ?? 1_800_000_000_000) + laterMs);
      clocks.push(clock);
      return clock;
    },
    channels: { ...(isOn && { slate: {} }), ...(chalk !== undefined && { chalk: {} }) } as never,
  });
  const runner = await door.runner();
  const { id: sessionId } = await door.owner.client.createSession({
    agent: 'scribe',
    folder: '/code',
    title: 'The door',
  });
  const reader = await door.person('reader', 'viewer');
  const db = door.store.tables<HubTables>();
  const wake = (chatId: string) => door.hub.channels!.wake('slate', chatId);
  // What a test puts into the store from here on is found by who is woken, not by who has just begun.
  await clocks.at(-1)!.settled();
  return {
    slate,
    door,
    get clock() {
      return clocks.at(-1)!;
    },
    runner,
    sessionId,
    async chat(chatId: string, given: Partial<HubTables['hub_chats']> = {}) {
      await db
        .insertInto('hub_chat_bindings')
        .values({ channel: 'slate', account_id: `of ${chatId}`, account_name: chatId, ...bindingOf(reader) })
        .onConflict((conflict) => conflict.columns(['channel', 'account_id']).doNothing())
        .execute();
      await db
        .insertInto('hub_chats')
        .values({
          channel: 'slate',
          chat_id: chatId,
          kind: 'private',
          account_id: `of ${chatId}`,
          title: null,
          language: 'en',
          state: 'open',
          problem: null,
          session_id: sessionId,
          from_seq: 0,
          is_muted: 0,
          created_at: 1,
          updated_at: 1,
          ...given,
        })
        .execute();
      wake(chatId);
    },
    async change(chatId: string, given: Partial<HubTables['hub_chats']>) {
      await db
        .updateTable('hub_chats')
        .set(given)
        .where('channel', '=', 'slate')
        .where('chat_id', '=', chatId)
        .execute();
      wake(chatId);
    },
    async until(check: () => boolean | Promise<boolean>) {
      await passUntil(clocks, check);
    },
    async reads(chatId: string, texts: readonly string[]) {
      await passUntil(clocks, () => JSON.stringify(slate.texts(chatId)) === JSON.stringify(texts)).catch(() => {
        throw new Error(
          `The chat ${chatId} says ${JSON.stringify(slate.texts(chatId))}, not ${JSON.stringify(texts)}.`,
        );
      });
    },
    async say(...events: RunnerEvent[]) {
      await runner.say(sessionId, events);
    },
    posts: (chatId: string) =>
      db.selectFrom('hub_chat_posts').selectAll().where('chat_id', '=', chatId).orderBy('id').execute(),
    async seen(chatId: string) {
      await passUntil(clocks, async () => {
        const { from_seq, seq } = await db
          .selectFrom('hub_chats')
          .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_chats.session_id')
          .select(['from_seq', 'seq'])
          .where('chat_id', '=', chatId)
          .executeTakeFirstOrThrow();
        return from_seq > seq;
      });
    },
    async bind(chatId: string, person: Person) {
      const account = { channel: 'slate', account_id: `of ${chatId}`, account_name: chatId };
      await db
        .insertInto('hub_chat_bindings')
        .values({ ...account, ...bindingOf(person) })
        .onConflict((conflict) => conflict.columns(['channel', 'account_id']).doUpdateSet(bindingOf(person)))
        .execute();
    },
    async kill() {
      laterMs = 60_000;
      await door.kill();
      laterMs = 0;
      runner.link = door.hub.link(door.owner.caller);
      await runner.leave();
      await runner.connect();
    },
  };
}

function bindingOf({ caller }: Person) {
  return { user_id: caller.userId, language: 'en' as const, created_at: 1 };
}

/** The beginning of a turn with a prompt that nobody queued. */
export const begin = (turnId: string): RunnerEvent => ({ type: 'turn-started', turnId });

/** Its end. */
export const finish = (turnId: string, reason: 'done' | 'failed' = 'done'): RunnerEvent => ({
  type: 'turn-finished',
  turnId,
  reason,
});

/** A whole turn in which one thing is said. */
export const turn = (turnId: string, text: string): RunnerEvent[] => [
  begin(turnId),
  said(text, `blk_${turnId}`),
  finish(turnId),
];

/** A block of text that begins. */
export const opens = (blockId: string, text = ''): RunnerEvent => ({
  type: 'block-start',
  messageId: `msg_${blockId}`,
  role: 'assistant',
  blockId,
  block: { type: 'text', text },
});

/** More of it. */
export const adds = (blockId: string, delta: string): RunnerEvent => ({ type: 'block-delta', blockId, delta });

/** All of it. */
export const ends = (blockId: string, text: string): RunnerEvent => ({
  type: 'block-stop',
  messageId: `msg_${blockId}`,
  role: 'assistant',
  blockId,
  block: { type: 'text', text },
});
