import * as vscode from 'vscode';
import type { RunningServer, ServerLink, ServerState } from './server/server-link.ts';

/** A link whose server is where the test says. */
export interface StandInLink extends ServerLink {
  state: ServerState;
  /** How often it was restarted and stopped. */
  restarts: number;
  stops: number;
  /** As if the server were found, or moved, or gone. */
  become(state: ServerState): void;
}

export const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGH';

/** A server at an address of this machine. */
export function serverAt(url: string, more: Partial<RunningServer> = {}): RunningServer {
  return { url, token: TOKEN, origin: 'bundled', ...more };
}

/** The link of a window, without a process behind it. */
export function standInLink(server: RunningServer = serverAt('http://127.0.0.1:4800')): StandInLink {
  const changed = new vscode.EventEmitter<void>();
  const link: StandInLink = {
    state: { kind: 'idle' },
    restarts: 0,
    stops: 0,
    onDidChange: changed.event,
    become(state) {
      link.state = state;
      changed.fire();
    },
    async ready() {
      if (link.state.kind !== 'ready') link.become({ kind: 'ready', server });
      return link.state.server ?? server;
    },
    async restart() {
      link.restarts += 1;
      link.become({ kind: 'ready', server: link.state.server ?? server });
      return link.state.server ?? server;
    },
    async stop() {
      link.stops += 1;
      link.become({ kind: 'idle' });
    },
    dispose() {},
  };
  return link;
}
