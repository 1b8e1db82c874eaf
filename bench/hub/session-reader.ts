import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { HUB_ROUTES, type LoggedHubEvent, serverEventReader } from '@dragoman/protocol';

/** Someone who looks at a session. */
export interface SessionReader {
  close(): void;
}

const connections = new Agent({ keepAlive: false, maxSockets: Infinity });

/**
 * Reads the events of a session as a browser does, with as little work of its own as can be: it shares the machine with
 * what it measures. Resolves when the server has answered.
 */
export async function readSession(
  { url, token }: { url: string; token: string },
  sessionId: string,
  onEvents: (events: readonly LoggedHubEvent[]) => void,
): Promise<SessionReader> {
  const path = HUB_ROUTES.readEvents.path.replace(':sessionId', sessionId);
  const call = request(url + path, {
    agent: connections,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  call.end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`GET ${path} was answered with ${answer.statusCode}`);
  const reader = serverEventReader(({ data }) => onEvents((JSON.parse(data) as { events: LoggedHubEvent[] }).events));
  answer.on('data', (piece: Buffer) => reader.feed(piece));
  call.on('error', () => {}); // It is closed in the middle.
  return { close: () => call.destroy() };
}
