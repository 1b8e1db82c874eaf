import { reconnectDelay } from './reconnect-delay.ts';

/** How long things may take, in milliseconds. */
export interface McpTiming {
  /** Until a server is connected and has listed its tools. */
  connectMs: number;
  /** How long a call waits for a server that is being connected. */
  callWaitMs: number;
  /** How long a person has to log in. */
  loginMs: number;
  /** Before the next attempt, after so many that failed. */
  reconnectMs(failures: number): number;
}

/** How long they do take where nobody says otherwise. */
export const MCP_TIMING: McpTiming = {
  connectMs: 30_000,
  callWaitMs: 5000,
  loginMs: 300_000,
  reconnectMs: (failures) => reconnectDelay(failures),
};
