import type { HubChange, LoggedHubEvent } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { EventStream } from '@dragoman/server';
import { eventsToJson } from '../log/read-events.ts';
import type { HubEngine } from './hub-engine.ts';

/** What one stream tells of. */
export interface LiveWants {
  hasLists: boolean;
  /** Sessions by their ids, each with the number it is known up to. */
  sessions: ReadonlyMap<string, number>;
}

/**
 * Tells of lists and of any number of sessions in one stream. Each message says what it belongs to; of a session that cannot be followed
 * it says why, and the others go on.
 */
export async function followLive(
  { parts, changes }: HubEngine,
  caller: Caller,
  { hasLists, sessions }: LiveWants,
  stream: EventStream,
): Promise<void> {
  const leaveWith = (leave: () => void) => {
    if (stream.signal.aborted) leave();
    else stream.signal.addEventListener('abort', leave, { once: true });
  };
  if (hasLists)
    leaveWith(
      changes.follow({
        userId: caller.userId,
        async receive(news: readonly HubChange[]) {
          for (const change of news) await stream.send(JSON.stringify({ change }), { type: 'change' });
        },
        end: () => stream.end(),
      }),
    );
  const seqs = await readSeqs({ parts }, [...sessions.keys()]);
  const refuse = (sessionId: string, code: string, message: string) =>
    stream.send(JSON.stringify({ sessionId, error: { code, message } }), { type: 'refused' });
  const isThere = async (sessionId: string) => (await readSeqs({ parts }, [sessionId])).has(sessionId);
  for (const [sessionId, after] of sessions) {
    const seq = seqs.get(sessionId);
    if (seq === undefined) await refuse(sessionId, 'not-found', `There is no session ${JSON.stringify(sessionId)}.`);
    else if (after > seq)
      await refuse(sessionId, 'bad-request', `${after} is beyond the last event of ${sessionId}, which is ${seq}.`);
    else {
      const leave = parts.feed.subscribe(sessionId, after, {
        receive: (events) =>
          stream.send(toJson(sessionId, events), { type: 'events', id: `${sessionId}.${events.at(-1)?.seq}` }),
        end() {
          // It was removed; anything else that ends a session's feed is mended by coming back.
          isThere(sessionId).then(
            (isStillThere) => {
              if (isStillThere) stream.end();
              else void refuse(sessionId, 'not-found', `There is no session ${JSON.stringify(sessionId)} any more.`);
            },
            () => stream.end(),
          );
        },
      });
      leaveWith(leave);
      leaveWith(parts.readers.enter(caller.userId, sessionId));
    }
  }
}

async function readSeqs({ parts }: Pick<HubEngine, 'parts'>, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await parts.db.selectFrom('hub_sessions').select(['id', 'seq']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/** Everyone who follows a session gets the same list, so it becomes text once. */
const texts = new WeakMap<readonly LoggedHubEvent[], string>();

function toJson(sessionId: string, events: readonly LoggedHubEvent[]): string {
  let text = texts.get(events);
  if (text === undefined) {
    text = `{"sessionId":${JSON.stringify(sessionId)},"events":${eventsToJson(events)}}`;
    texts.set(events, text);
  }
  return text;
}
