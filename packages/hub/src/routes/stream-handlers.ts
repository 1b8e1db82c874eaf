import { DragomanError, type LoggedHubEvent } from '@dragoman/protocol';
import { openEventStream } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { eventsToJson } from '../log/read-events.ts';
import { findSession } from '../sessions/find-session.ts';
import { followLive } from './follow-live.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

/** What is told as it happens. */
export function streamHandlers(engine: HubEngine): Pick<HubHandlers, 'readEvents' | 'readChanges' | 'readLive'> {
  const { parts, changes } = engine;
  return {
    async readEvents(request, reply) {
      const { caller, params, query } = readCall('readEvents', request);
      // A browser comes back to the address it began with, and tells how far it is in the header.
      const after = Math.max(query.after ?? 0, lastEventId(request));
      const { seq } = await findSession(parts, params.sessionId);
      if (after > seq)
        throw new DragomanError(
          'bad-request',
          `after: ${after} is beyond the last event of this session, which is ${seq}; read again from 0.`,
        );
      const stream = openEventStream(request, reply);
      const leave = parts.feed.subscribe(params.sessionId, after, {
        receive: (events) => stream.send(toJson(events), { id: events.at(-1)?.seq }),
        end: () => stream.end(),
      });
      whenOver(stream.signal, leave);
      whenOver(stream.signal, parts.readers.enter(caller.userId, params.sessionId));
      return reply;
    },
    async readChanges(request, reply) {
      const { caller } = readCall('readChanges', request);
      await askStore(engine);
      const stream = openEventStream(request, reply);
      const leave = changes.follow({
        userId: caller.userId,
        async receive(news) {
          for (const change of news) await stream.send(JSON.stringify(change));
        },
        end: () => stream.end(),
      });
      whenOver(stream.signal, leave);
      return reply;
    },
    async readLive(request, reply) {
      const { caller, query } = readCall('readLive', request);
      const wanted = query.sessions?.split(',').map((one) => one.split('.') as [string, string]) ?? [];
      const sessions = new Map(wanted.map(([sessionId, after]) => [sessionId, Number(after)]));
      await askStore(engine);
      const stream = openEventStream(request, reply);
      followLive(engine, caller, { hasLists: query.lists === true, sessions }, stream).catch((err: unknown) => {
        parts.logger.warn({ err }, 'a live stream could not be opened');
        stream.end();
      });
      return reply;
    },
  };
}

/** That the database is away can be told by a status only until a stream has begun, and not every token is looked up in it. */
async function askStore({ parts }: HubEngine): Promise<void> {
  await parts.db.selectFrom('hub_sessions').select('id').limit(1).execute();
}

/** Everyone who follows a session gets the same list, so it becomes text once. */
const texts = new WeakMap<readonly LoggedHubEvent[], string>();

function toJson(events: readonly LoggedHubEvent[]): string {
  let text = texts.get(events);
  if (text === undefined) {
    text = `{"events":${eventsToJson(events)}}`;
    texts.set(events, text);
  }
  return text;
}

/** What a browser sends by itself when it comes back. */
function lastEventId(request: FastifyRequest): number {
  const header = request.headers['last-event-id'];
  if (header === undefined) return 0;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw new DragomanError('bad-request', 'last-event-id: expected the number of an event.');
}

function whenOver(signal: AbortSignal, leave: () => void): void {
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
}
