import { MASK, maskedAddress, maskedCommand } from '@dragoman/server/base';
import { maskSecrets } from '../mcp/mask-secrets.ts';
import type { McpServerConfig } from '../mcp/mcp-config.ts';

/** Shorter ones would blot out ordinary words where they are looked for in other texts. */
const SHORTEST_SECRET = 6;

/** Where a server is, and how its secrets are kept out of what is said about it. */
export interface McpTarget {
  /** Its command or its address, without secrets. */
  shown: string;
  /** Takes its secrets out of a text, such as what it wrote before it ended. */
  hide(text: string): string;
}

/** A server's command or address for people to see. */
export function mcpTarget(settings: McpServerConfig): McpTarget {
  const secrets = new Set<string>();
  const keep = (secret: string): string => {
    secrets.add(secret);
    return MASK;
  };
  const shown =
    'command' in settings ? maskedCommand(settings.command, keep).join(' ') : maskedAddress(settings.url, keep);
  const hide = (text: string) => {
    const long = [...secrets].filter(({ length }) => length >= SHORTEST_SECRET);
    const rest = long.toSorted((one, other) => other.length - one.length);
    return rest.reduce((left, secret) => left.replaceAll(secret, MASK), maskSecrets(text, settings));
  };
  return { shown: hide(shown), hide };
}
