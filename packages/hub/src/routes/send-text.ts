import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { STALLED_READER_MS } from '@dragoman/server';
import type { FastifyReply } from 'fastify';

/** So much is made at a stretch. */
const CHUNK_CHARS = 64_000;
/** How long pieces are made before others get their turn. */
const TURN_MS = 15;

/** Answers with a text that is made as the reader takes it, and never for long at a stretch, so that others are served meanwhile. */
export function sendText(reply: FastifyReply, pieces: Iterable<string>): FastifyReply {
  const stalled = setTimeout(() => reply.raw.destroy(), STALLED_READER_MS);
  reply.raw.once('close', () => clearTimeout(stalled));
  return reply.send(
    Readable.from(
      inChunks(pieces, () => stalled.refresh()),
      { objectMode: false },
    ),
  );
}

async function* inChunks(pieces: Iterable<string>, onTaken: () => void): AsyncGenerator<string> {
  let chunk = '';
  let turnEnds = performance.now() + TURN_MS;
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARS && performance.now() < turnEnds) continue;
    if (chunk !== '') yield chunk;
    onTaken();
    chunk = '';
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
  if (chunk !== '') yield chunk;
}
