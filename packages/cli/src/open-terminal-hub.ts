import type { Hub, TerminalDesk } from '@dragoman/hub';
import type { HubLink } from '@dragoman/protocol';
import type { LocalAgent } from './open-local-agent.ts';
import { VERSION } from './version.ts';

/** The hub inside a command, on the store that a server may have open too. */
export interface TerminalHub {
  desk: TerminalDesk;
  /** The way to it for a runner of the terminal, whose home is the server's runner on the same machine. */
  link(homeRunnerId: string): HubLink;
  close: Hub['close'];
}

/** Opens the hub for whoever owns this machine. */
export async function openTerminalHub({
  store,
  setup,
  log,
  owner,
}: Pick<LocalAgent, 'store' | 'setup' | 'log' | 'owner'>): Promise<TerminalHub> {
  const { openHub } = await import('@dragoman/hub');
  const hub = await openHub({ store, config: () => setup.config.value, log, version: VERSION });
  const caller = { ...owner, tokenName: 'terminal', tokenId: undefined };
  return {
    desk: hub.terminal(caller),
    link: (homeRunnerId) => hub.link(caller, homeRunnerId),
    close: () => hub.close(),
  };
}
