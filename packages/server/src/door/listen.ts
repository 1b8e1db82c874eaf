import type { AddressInfo } from 'node:net';
import { DragomanError } from '@dragoman/protocol';
import type { FastifyInstance } from 'fastify';

/** Starts to listen and tells the address a browser on this machine would use. */
export async function listen(door: FastifyInstance, host: string, port: number): Promise<string> {
  const { level } = door.log;
  door.log.level = 'warn'; // Fastify would announce the address; whoever called this does it better.
  try {
    await door.listen({ host, port });
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, host, port);
  } finally {
    door.log.level = level;
  }
  const address = door.server.address() as AddressInfo;
  return `http://${reachableHost(address)}:${address.port}`;
}

function reachableHost(address: AddressInfo): string {
  if (address.address === '0.0.0.0' || address.address === '::') return '127.0.0.1';
  return address.family === 'IPv6' ? `[${address.address}]` : address.address;
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return new DragomanError(
        'address-in-use',
        `Port ${port} on ${host} is already in use. Dragoman may already be running. Choose another port with --port (0 picks a free one).`,
        { cause: error },
      );
    case 'EACCES':
      return new DragomanError(
        'address-in-use',
        `This user is not allowed to use port ${port} on ${host}. Choose one above 1023 with --port.`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new DragomanError(
        'address-in-use',
        `${host} is not an address of this machine. Choose another one with --host.`,
        { cause: error },
      );
    default:
      return error;
  }
}
