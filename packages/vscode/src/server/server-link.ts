import type * as vscode from 'vscode';

/** A server that can be asked. */
export interface RunningServer {
  url: string;
  token: string;
  /** How it was come by: named in the settings, found running, started from the PATH, or the copy in the extension. */
  origin: 'setting' | 'found' | 'path' | 'bundled';
  /** Where it writes its log, if this editor started it. */
  logFile?: string;
}

/** How it stands with the server. */
export interface ServerState {
  kind: 'idle' | 'starting' | 'ready' | 'failed';
  server?: RunningServer;
  /** Why it failed, as a sentence. */
  reason?: string;
}

/** The one server of this window. */
export interface ServerLink {
  readonly state: ServerState;
  readonly onDidChange: vscode.Event<void>;
  /** Finds or starts it once; the same promise while under way. */
  ready(): Promise<RunningServer>;
  /** After a changed key or configuration: same port, same token. Refuses for a server that is not ours. */
  restart(): Promise<RunningServer>;
  /** Ends a server that we started; for others it only lets go. */
  stop(): Promise<void>;
  dispose(): void;
}

/** Whether the extension started it and its settings are the ones of the panel. */
export function isOwnServer({ origin }: RunningServer): boolean {
  return origin === 'path' || origin === 'bundled';
}
