import { setTimeout as pause } from 'node:timers/promises';
import { startHub, startRunner, type BenchPlace, type HubProcess } from '../hub/bench-process.ts';
import { benchClient, newSession } from '../hub/bench-session.ts';
import { middle } from '../hub/measure-crowd.ts';
import { follow, larkChat, telegramChat, until } from './bench-chat.ts';
import { AGENT, configureBots, openPlatforms, type Platforms } from './platforms.ts';
import type { Telling } from './telling-agent.ts';

/** What chats cost in which nothing happens. */
export interface Quiet {
  /** Memory of a hub with these sessions, without any bot, in MB. */
  withoutBots: number;
  /** With both bots, in no chat. */
  withBots: number;
  /** Chats were just told of their sessions. */
  afterTalk: number;
  /** The same chats after the hub was started anew. */
  following: number;
  /** Share of one core while nothing happens: without bots, with both in no chat, with all the chats. */
  cpu: readonly [number, number, number];
}

const SETTLE_MS = 5_000;
const LOOKS = 20;
const AT_ONCE = 10;

/** So many sessions in which nothing happens any more, each shown in a chat of its own: half on Telegram, half on Lark. */
export async function measureQuiet(place: BenchPlace, { chats }: { chats: number }): Promise<Quiet> {
  const platforms = await openPlatforms();
  try {
    configureBots(place.folder, undefined);
    const sessionIds = await makeSessions(place, chats);
    const withoutBots = await atRest(place);
    configureBots(place.folder, platforms);
    const withBots = await atRest(place);
    const afterTalk = await openChats(place, platforms, sessionIds);
    const following = await atRest(place);
    return {
      withoutBots: withoutBots.mb,
      withBots: withBots.mb,
      afterTalk,
      following: following.mb,
      cpu: [withoutBots.cpu, withBots.cpu, following.cpu],
    };
  } finally {
    await platforms.close();
  }
}

async function makeSessions(place: BenchPlace, count: number): Promise<string[]> {
  const hub = await startHub(place);
  const runner = await startRunner(place, hub, AGENT);
  try {
    const bench = { hub, runner, client: benchClient(hub) };
    const ids: string[] = [];
    for (let from = 0; from < count; from += AT_ONCE) {
      const made = Array.from({ length: Math.min(AT_ONCE, count - from) }, async (_, index) => {
        const id = await newSession(bench, `Quiet ${from + index}`);
        await bench.client.sendPrompt({
          sessionId: id,
          text: JSON.stringify({ type: 'burst', blocks: 20 } satisfies Telling),
        });
        return id;
      });
      ids.push(...(await Promise.all(made)));
    }
    for (const sessionId of ids)
      await until('the end of a turn', async () => {
        const { turnId, queued, lastText } = await bench.client.getSession({ sessionId });
        return turnId === undefined && queued === 0 && lastText !== '';
      });
    return ids;
  } finally {
    await runner.stop();
    await hub.stop();
  }
}

async function openChats(place: BenchPlace, platforms: Platforms, sessionIds: readonly string[]): Promise<number> {
  const hub = await startHub(place);
  try {
    const client = benchClient(hub);
    for (const [index, sessionId] of sessionIds.entries()) {
      const { telegram, lark } = platforms;
      const chat = await (index % 2 === 0 ? telegramChat(client, telegram) : larkChat(client, lark));
      await follow(chat, sessionId);
    }
    return (await lookAt(hub)).mb;
  } finally {
    await hub.stop();
  }
}

/** A hub that was started, and was called once so that it is open. */
async function atRest(place: BenchPlace): Promise<{ mb: number; cpu: number }> {
  const hub = await startHub(place);
  try {
    await benchClient(hub).readChannels({});
    return await lookAt(hub);
  } finally {
    await hub.stop();
  }
}

async function lookAt(hub: HubProcess): Promise<{ mb: number; cpu: number }> {
  await pause(SETTLE_MS);
  const from = { cpuMs: hub.cpuMs(), at: performance.now() };
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    await pause(500);
    looks.push(hub.rssMb());
  }
  return { mb: middle(looks), cpu: (hub.cpuMs() - from.cpuMs) / (performance.now() - from.at) };
}
