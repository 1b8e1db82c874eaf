import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** What is shorter fits into one packet as it is. */
const LEAST_LENGTH = 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** The quickest levels: JSON has most of its repetitions found by them. Both are done in a thread. */
const PACKINGS = {
  br: (bytes: Buffer) =>
    toBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => toGzip(bytes, { level: 1 }),
};

/**
 * Packs what the API answers in JSON for clients that take it so. Streams are not packed, since what is packed waits for more.
 *
 * The length of a packed answer tells whether two things in it are alike (BREACH), to who can put one there, have the other
 * asked for, and watch the line. Nobody else's page can have anything asked for: the cookie counts only with the secret
 * of our own pages, and tokens are sent by no browser by itself. And only what is read is packed: keys, tokens and codes
 * are told once, in the answer to what made them.
 */
export function packAnswers(door: FastifyInstance): void {
  door.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || !request.url.startsWith('/api/') || typeof payload !== 'string') return payload;
    const isPackable =
      payload.length >= LEAST_LENGTH &&
      String(reply.getHeader('content-type')).startsWith('application/json') &&
      !reply.hasHeader('content-encoding');
    if (!isPackable) return payload;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    const packing = packingFor(request.headers['accept-encoding']);
    if (packing === undefined) return payload;
    reply.header('content-encoding', packing);
    return PACKINGS[packing](Buffer.from(payload));
  });
}

/** The best that a client takes. One that it names with `q=0` it does not. */
export function packingFor(accepted: string | string[] | undefined): keyof typeof PACKINGS | undefined {
  const taken = new Set(
    String(accepted ?? '')
      .slice(0, 1000)
      .toLowerCase()
      .split(',')
      .map((one) => one.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : undefined;
}
