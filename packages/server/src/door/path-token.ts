import type { IncomingMessage } from 'node:http';

/** `/token/TOKEN/…`, also behind a scheme and host, as proxies ask. */
const PREFIX = /^(?:https?:\/\/[^/?#]*)?\/token\/([^/?#]+)/i;
/** Where an address leads that ends with its token. */
export const PATH_TOKEN_ROOT = '/token';

const tokens = new WeakMap<IncomingMessage, string>();

/**
 * Takes the token out of an address, for clients that can send no header: `/token/TOKEN/api/chat` is `/api/chat` with that
 * token. From here on nothing that is told of the request, in a log or an answer, has the token in it.
 */
export function takePathToken(request: IncomingMessage & { originalUrl?: string }): string {
  delete request.originalUrl; // Fastify keeps the whole address here.
  const { url = '/' } = request;
  const found = PREFIX.exec(url);
  if (found === null) return url;
  tokens.set(request, found[1]!);
  const rest = url.slice(found[0].length);
  return /^\/?(?:$|\?)/.test(rest) ? PATH_TOKEN_ROOT + rest.replace(/^\//, '') : rest;
}

/** The token that stood in the address. */
export function pathTokenOf(request: IncomingMessage): string | undefined {
  return tokens.get(request);
}
