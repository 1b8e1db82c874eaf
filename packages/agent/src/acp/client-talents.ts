import type { ClientCapabilities } from '@agentclientprotocol/sdk';

/** What the client can show beside the conversation itself; it is sent nothing else. */
export interface ClientTalents {
  notices: boolean;
  compaction: boolean;
}

/** Reads them from what the client says about itself. */
export function clientTalents(capabilities: ClientCapabilities | undefined): ClientTalents {
  const { notices, compaction } = capabilities?.session ?? {};
  return { notices: isGiven(notices), compaction: isGiven(compaction) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
