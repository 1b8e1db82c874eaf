import { hideValues, MASK, maskAddresses, maskCommand } from '@dragoman/protocol/secrets';
import type { McpServerConfig } from './mcp-config.ts';

/** Where a server is, and how its secrets are kept out of what is said about it. */
export interface McpTarget {
  /** Its command or its address, without secrets. */
  shown: string;
  /** Takes its secrets out of a text, such as what it wrote before it ended. */
  hide(text: string): string;
}

/** A server's command or address for people to see. */
export function mcpTarget(settings: McpServerConfig): McpTarget {
  const given = Object.values('command' in settings ? settings.env : settings.headers);
  const secrets = new Set(given.flatMap((value) => (value === '' ? [] : withoutScheme(value.reveal()))));
  const keep = (secret: string): string => {
    secrets.add(secret);
    return MASK;
  };
  const shown =
    'command' in settings ? maskCommand(settings.command, keep).join(' ') : maskAddresses(settings.url, keep);
  const hide = (text: string) =>
    // The address as a whole first: what is short in it is no word to look for.
    hideValues('url' in settings ? text.replaceAll(settings.url, shown) : text, secrets, MASK);
  return { shown: hideValues(shown, secrets, MASK), hide };
}

/** Of `Bearer …` the second word is the key, and alone is what a server would repeat. */
function withoutScheme(header: string): string[] {
  return [header, header.replace(/^\w+ +/, '')];
}
