import { join } from 'node:path';
import type { HubClient } from '@dragoman/protocol';
import type { HubProcess } from './bench-process.ts';
import { within } from './bench-session.ts';
import { FirstSeen, type Latencies } from './measure-first-token.ts';
import { pipedFolder, sayPaced } from './piped-agent.ts';
import { readSession, type SessionReader } from './session-reader.ts';

/** How late text is that comes from the server's own runner and from one elsewhere, in ms, sorted. */
export interface Fairness {
  own: Latencies;
  remote: Latencies;
}

const EVERY_MS = 100;

/** As many sessions at one runner as at the other, each with a reader and ten messages a second, all at the same time. */
export async function measureFairness(
  { hub, client, folder }: { hub: HubProcess; client: HubClient; folder: string },
  { own, remote, seconds, runnerIds }: { own: number; remote: number; seconds: number; runnerIds: [string, string] },
): Promise<Fairness> {
  const messages = (seconds * 1_000) / EVERY_MS;
  const readers: SessionReader[] = [];
  const start = async (runnerId: string, index: number) => {
    const place = pipedFolder(join(folder, `${runnerId}-${index}`));
    const { id } = await client.createSession({ agent: 'piped', runnerId, folder: place });
    const seen = new FirstSeen();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const reader = await readSession(hub, id, (events) => {
      seen.note(events);
      if (events.some(({ event }) => event.type === 'turn-finished')) resolve();
    });
    readers.push(reader);
    await client.sendPrompt({ sessionId: id, text: 'go' });
    return { place, seen, ended };
  };
  const startAll = async (runnerId: string, count: number) => {
    const started: Awaited<ReturnType<typeof start>>[] = [];
    for (let index = 0; index < count; index++) started.push(await start(runnerId, index));
    return started;
  };
  try {
    const [ownSessions, remoteSessions] = [await startAll(runnerIds[0], own), await startAll(runnerIds[1], remote)];
    const all = [...ownSessions, ...remoteSessions];
    const said = all.map(({ place }, index) =>
      sayPaced(place, { messages, everyMs: EVERY_MS, firstMs: 1_000 + ((index * 37) % EVERY_MS) }),
    );
    await within(seconds * 2 + 60, 'the end of all turns', Promise.all([...said, ...all.map(({ ended }) => ended)]));
    for (const { seen } of all)
      if (seen.size !== messages) throw new Error(`${messages - seen.size} of ${messages} messages were lost`);
    const latencies = (sessions: typeof all) =>
      sessions.flatMap(({ seen }) => seen.latencies()).toSorted((one, other) => one - other);
    return { own: latencies(ownSessions), remote: latencies(remoteSessions) };
  } finally {
    for (const reader of readers) reader.close();
  }
}
