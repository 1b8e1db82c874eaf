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
      `Dragoman runs already on the data folder ${folder}, at ${server.url} (process ${server.pid}). Use that one, stop it, or name another folder in DRAGOMAN_HOME.`,
    );
    this.server = server;
  }
}
