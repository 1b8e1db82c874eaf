import { isIP } from 'node:net';
import { DragomanError } from '@dragoman/protocol';
import type { FastifyRequest } from 'fastify';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests that were meant for another host.
 *
 * A page on the internet can make its own host name point at this machine and then call it from the visitor's browser;
 * the Host header gives that away. Accepted are loopback names, the host of `server.publicUrl`, and the very address
 * the connection came in on, which no host name can imitate. A request without the header comes from no browser: load
 * balancers ask so whether the server is well.
 */
export function checkHost(request: FastifyRequest, publicHost: string | undefined): void {
  const { host } = request.headers;
  if (host === undefined) return;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (LOOPBACK_NAMES.has(name) || host.toLowerCase() === publicHost || name === publicHost) return;
  if (isOwnAddress(name, request.socket.localAddress)) return;
  throw new DragomanError(
    'misdirected',
    `This server does not accept requests for the host ${JSON.stringify(name.slice(0, 100))}. To allow it, set server.publicUrl.`,
  );
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function isOwnAddress(name: string, localAddress: string | undefined): boolean {
  const address = name.replace(/^\[|\]$/g, '');
  return (
    isIP(address) !== 0 && localAddress !== undefined && address === localAddress.toLowerCase().replace(/^::ffff:/, '')
  );
}
