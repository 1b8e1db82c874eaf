import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './route-config.ts';
import { STALLED_READER_MS } from './stalled-reader.ts';

/** A comment line says this often that the connection is alive. */
const HEARTBEAT_MS = 15_000;
/** A reader comes back after this long: a connection that lives for days is one that nobody looks after. */
const MAX_READING_MS = 30 * 60_000;

/** What an event is, beside its data. */
interface EventKind {
  /** Where a reader goes on after a break. */
  id?: number | string | undefined;
  type?: string | undefined;
}

/** An answer of server-sent events. */
export interface EventStream {
  /** Aborted when the reader is gone, the server stops, or the stream was ended. */
  readonly signal: AbortSignal;
  /** Writes a message, which is JSON already. Where the reader is slow, resolves when it has caught up. */
  send(json: string, kind?: EventKind): void | Promise<void>;
  end(): void;
}

/**
 * Begins a stream, which ends with the token it was opened with. From here on the answer is written by hand, and errors
 * can no longer be told by a status.
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply, { isEndless = false } = {}): EventStream {
  const { raw } = reply;
  const { stopping, openStreams } = request.server;
  const leave = openStreams.enter(callerOf(request), () => end());
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  raw.write(': here\n\n');

  const gone = new AbortController();
  let ready: Promise<void> | undefined;
  const end = () => {
    clearInterval(heartbeat);
    clearTimeout(tooLong);
    stopping.removeEventListener('abort', end);
    leave();
    gone.abort();
    if (!raw.writableEnded) raw.end();
  };
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(': alive\n\n');
  }, HEARTBEAT_MS);
  const tooLong = isEndless ? undefined : setTimeout(end, MAX_READING_MS);
  raw.once('close', end);
  raw.on('error', end);
  stopping.addEventListener('abort', end, { once: true });
  // A HEAD request gets the headers alone.
  if (stopping.aborted || raw.destroyed || request.method === 'HEAD') end();

  return {
    signal: gone.signal,
    send(json, { id, type } = {}) {
      if (gone.signal.aborted) return undefined;
      const head = `${type === undefined ? '' : `event: ${type}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
      if (raw.write(`${head}data: ${json}\n\n`)) return undefined;
      // Many may write to one stream, and wait for the same moment.
      ready ??= untilReady(raw).finally(() => (ready = undefined));
      return ready;
    },
    end,
  };
}

function untilReady(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(stalled);
      raw.off('drain', go).off('close', go);
      resolve();
    };
    const stalled = setTimeout(() => raw.destroy(), STALLED_READER_MS);
    raw.once('drain', go).once('close', go);
    if (raw.destroyed) go();
  });
}
