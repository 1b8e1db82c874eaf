import { MASK } from '@dragoman/server/base';
import type { McpServerConfig } from './mcp-config.ts';

/** Shorter ones would blot out ordinary words. */
const SHORTEST_SECRET = 6;

/** What a server prints or answers may repeat the keys it was given; they are not shown on. */
export function maskSecrets(text: string, settings: McpServerConfig): string {
  const secrets = Object.values('command' in settings ? settings.env : settings.headers)
    .map((value) => (value === '' ? '' : value.reveal()))
    .filter((value) => value.length >= SHORTEST_SECRET);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
}
