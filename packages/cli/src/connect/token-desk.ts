import { listModelNames } from '@dragoman/gateway';
import { DragomanError } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import { findProven, isLoopback, loadConfig, OWNER_NAME } from '@dragoman/server';
import { type CommonOptions, findPlaces } from '../load-setup.ts';
import { remoteServer } from '../remote-server.ts';
import { withTokens } from '../with-tokens.ts';

export interface ServerOptions extends CommonOptions {
  server?: string;
  token?: string;
}

/** The server that clients are connected to: where it is, and how tokens are made and revoked there. */
export interface TokenDesk {
  /** Without a slash at its end. */
  url: string;
  isRemote: boolean;
  /** Whether it can be asked now. */
  isRunning: boolean;
  /** The names that clients can ask for. */
  models(): Promise<string[]>;
  create(name: string, role: 'models' | 'member'): Promise<{ id: string; text: string }>;
  revoke(id: string): Promise<void>;
}

/** A server elsewhere, where one is named; else the one of this machine, whether it runs or not. */
export async function openTokenDesk(options: ServerOptions): Promise<TokenDesk> {
  return options.server === undefined ? localDesk(options) : remoteDesk(options.server, options.token);
}

function remoteDesk(server: string, given: string | undefined): TokenDesk {
  const { url, token } = remoteServer(server, given);
  const client = createConsoleClient({ url, token });
  return {
    url: url.replace(/\/+$/, ''),
    isRemote: true,
    isRunning: true,
    models: async () => (await client.readGateway()).models,
    async create(name, role) {
      const made = await client.createToken({ name, role });
      return { id: made.token.id, text: made.text };
    },
    async revoke(id) {
      await client.revokeToken({ tokenId: id }).catch(forgiveMissing);
    },
  };
}

async function localDesk(options: CommonOptions): Promise<TokenDesk> {
  const { folder, source } = findPlaces(options);
  const config = loadConfig(source).value;
  const { publicUrl, host, port } = config.server;
  const running = await findProven(folder);
  const url =
    publicUrl?.replace(/\/$/, '') ?? running?.url ?? `http://${isLoopback(host) ? host : '127.0.0.1'}:${port}`;
  return {
    url,
    isRemote: false,
    isRunning: running !== undefined,
    models: async () => listModelNames(config),
    create: (name, role) =>
      withTokens(options, async (tokens) => {
        const user = await tokens.openUser(OWNER_NAME, 'admin');
        return tokens.createToken({ user, name, role, expiresAt: null });
      }),
    revoke: (id) => withTokens(options, async (tokens) => void (await tokens.revoke(id).catch(forgiveMissing))),
  };
}

/** A token that is gone already lets nobody in. */
function forgiveMissing(error: unknown): void {
  if (
    !(error instanceof DragomanError && error.code === 'not-found') &&
    (error as { code?: string }).code !== 'not-found'
  )
    throw error;
}
