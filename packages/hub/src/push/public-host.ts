import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { DragomanError } from '@dragoman/protocol';
import { isPrivateAddress } from '@dragoman/server/base';

/** Refuses an address that is no push service: anybody who may look at this server tells it where to send something. */
export function checkPushEndpoint(endpoint: string): URL {
  const url = new URL(endpoint);
  if (url.protocol !== 'https:') throw refused(url, 'it must begin with https://');
  if (url.username !== '' || url.password !== '') throw refused(url, 'it has a name or password in it');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''); // A full name may end with a dot.
  if (isIP(host) === 0 ? isLocalName(host) : isPrivateAddress(host)) throw refused(url, 'it is a private address');
  return url;
}

/** Finds the addresses of a name for a connection, which is then made to what was looked at here and nothing else. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const hidden = error === null ? addresses.find(({ address }) => isPrivateAddress(address)) : undefined;
    const [first] = addresses ?? [];
    if (error !== null) callback(error, '');
    else if (hidden !== undefined || first === undefined)
      callback(new DragomanError('forbidden', `${hostname} leads to a private address; push services are public.`), '');
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(host);
}

function refused(url: URL, reason: string): DragomanError {
  return new DragomanError('bad-request', `endpoint: ${url.host.slice(0, 200)} is no push service: ${reason}.`);
}
