import { matchesWildcard, parseWildcard } from './wildcard.ts';

/** A host in lower case, alone and, where it has one, with its port. */
export function hostTexts(value: string): string[] {
  const { host, port } = splitPort(value);
  return port === undefined ? [host] : [host, `${host}:${port}`];
}

/** Reads a pattern of hosts. `*.example.com` is every host below `example.com`; without a port it is about all ports. */
export function compileHostPattern(pattern: string): (host: string) => boolean {
  const { host, port } = splitPort(pattern);
  const wildcard = parseWildcard(port === undefined ? host : `${host}:${port}`);
  return (text) => matchesWildcard(wildcard, text);
}

/** Addresses of version 6 have colons of their own, and stand in brackets where a port follows. */
function splitPort(value: string): { host: string; port: string | undefined } {
  const lower = value.trim().toLowerCase();
  const [, bracketed, bracketedPort] = /^\[([0-9a-f:.%]+)\](?::(\d+))?$/.exec(lower) ?? [];
  if (bracketed !== undefined) return { host: `[${bracketed}]`, port: bracketedPort };
  if (lower.includes(':', lower.indexOf(':') + 1)) return { host: `[${lower}]`, port: undefined };
  const [, host = '', port] = /^(.*?)\.?(?::(\d+|\*))?$/s.exec(lower) ?? [];
  return { host, port };
}
