import { DragomanError } from '@dragoman/protocol';

/** A server that is up, and where. */
export interface RunningServer {
  url: string;
  pid: number;
}

/** The data folder has a server already, and it answers. */
export class ServerRunsError extends DragomanError {
  override readonly name = 'ServerRunsError';
  readonly server: RunningServer;

  constructor(folder: string, server: RunningServer) {
    super(
      'data-folder',
      `Dragoman is already running on the data folder ${folder}, at ${server.url} (process ${server.pid}). Use it, stop it, or set DRAGOMAN_HOME to another folder.`,
    );
    this.server = server;
  }
}
