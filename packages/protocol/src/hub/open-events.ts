import { DragomanError } from '../dragoman-error.ts';
import type { HubSend } from './hub-request.ts';

/** Opens a stream of server-sent events; rejects with a `DragomanError`. */
export async function openEvents(
  send: HubSend,
  path: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const answer = await send(path, { headers: { accept: 'text/event-stream' }, cache: 'no-store' }, signal);
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (answer.body !== null && isStream) return answer.body;
  await answer.body?.cancel();
  throw new DragomanError('unavailable', `GET ${path} was not answered with events; is the address right?`);
}
