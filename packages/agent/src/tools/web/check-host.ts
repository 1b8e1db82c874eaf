import { isIP } from 'node:net';
import { isPrivateAddress } from '@dragoman/server/base';
import { ToolError } from '../tool.ts';
import { hostOf } from './web-address.ts';

/** An address a host's name stands for. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Finds the addresses of a name. */
export type HostLookup = (host: string) => Promise<readonly HostAddress[]>;

/** Which hosts may be spoken to. */
export interface HostRules {
  /** Hosts that may be private, as `host` or `host:port`. */
  allowPrivate: readonly string[];
  lookup: HostLookup;
}

/**
 * Gives back the addresses at which a host may be reached, and refuses one that is not on the public Internet.
 *
 * Every address is looked at, not only the first: which of them a connection picks is not ours to say. The caller
 * connects to what was checked here and never asks for the name again, so that a name that changes its mind between
 * the check and the connection gains nothing.
 */
export async function checkHost(url: URL, rules: HostRules, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const host = bareHost(url);
  const mayBePrivate = rules.allowPrivate.some((allowed) => isSameHost(allowed, url));
  if (!mayBePrivate && isLocalName(host)) throw refused(url, 'it is this machine itself');

  const addresses = await addressesOf(host, rules.lookup, signal);
  const hidden = mayBePrivate ? undefined : addresses.find(({ address }) => isPrivateAddress(address));
  if (hidden !== undefined)
    throw refused(url, hidden.address === host ? 'it is a private address' : `it leads to ${hidden.address}`);
  return addresses;
}

/** Without the brackets of an IPv6 address and the dot that a full name may end with. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isSameHost(allowed: string, url: URL): boolean {
  const name = allowed.toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return [bareHost(url), hostOf(url), url.hostname, `${url.hostname}:${port}`].includes(name);
}

function isLocalName(host: string): boolean {
  return /(?:^|\.)(?:localhost|localhost6|ip6-localhost|ip6-loopback)$/.test(host);
}

async function addressesOf(host: string, lookup: HostLookup, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  let addresses: readonly HostAddress[];
  try {
    addresses = await unlessAborted(lookup(host), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw unknownHost(host, error);
  }
  if (addresses.length === 0) throw unknownHost(host);
  return addresses;
}

/** Looking up a name cannot be called off; nobody needs to wait for it. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function unknownHost(host: string, cause?: unknown): ToolError {
  return new ToolError(`There is no host named ${host}, or its name cannot be looked up. Check the spelling.`, {
    cause,
  });
}

function refused(url: URL, reason: string): ToolError {
  return new ToolError(
    `${url.host} is not fetched: ${reason}, and only the public Internet is open to this tool. The person who runs the agent can allow the host in the configuration.`,
  );
}
