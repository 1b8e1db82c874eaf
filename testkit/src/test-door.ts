import type { TokenRole } from '@dragoman/protocol';
import {
  type AccessTables,
  accessMigrations,
  FailedAttempts,
  listen,
  Metrics,
  openDoor,
  openStore,
  ProcessTokens,
  type RoomMigrations,
  serverConfigShape,
  type Store,
  type StoreEngine,
  type StoreLocation,
  TokenStore,
} from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { freshLocation } from './store-location.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The answer's JSON; an empty object where it is something else. */
  body: Record<string, unknown> & { error?: { code: string; message: string; requestId: string } };
}

export interface TestDoor {
  door: FastifyInstance;
  url: string;
  store: Store;
  /** Where its rows are, for a second door on the same. */
  location: StoreLocation;
  tokens: TokenStore;
  tokenOf: Record<TokenRole, string>;
  stopping: AbortController;
  /** What it runs by; a test may change it. */
  serverConfig: z.output<(typeof serverConfigShape)['server']>;
  /** Everything logged so far, one object a line. */
  logged: Record<string, unknown>[];
  /** Calls as an admin unless headers say otherwise. */
  call(path: string, init?: RequestInit): Promise<Answer>;
}

/** A real door on a free port, with a token for each role, and rooms if the test has some. */
export async function openTestDoor(
  config: z.input<(typeof serverConfigShape)['server']> = {},
  rooms: (door: FastifyInstance, parts: { store: Store; metrics: Metrics }) => unknown = () => {},
  migrations: readonly RoomMigrations[] = [],
  engine: StoreEngine = 'sqlite',
  given?: StoreLocation,
): Promise<TestDoor> {
  const allRooms = [accessMigrations, ...migrations];
  const location = given ?? (await freshLocation(engine, allRooms));
  const store = await openStore(location, { rooms: allRooms });
  const tokens = new TokenStore(store.tables<AccessTables>());
  const user = await tokens.openUser('owner', 'admin');
  const tokenFor = async (role: TokenRole) =>
    (await tokens.createToken({ user, name: `${role} token`, role, expiresAt: null })).text;
  const tokenOf = {
    models: await tokenFor('models'),
    viewer: await tokenFor('viewer'),
    member: await tokenFor('member'),
    admin: await tokenFor('admin'),
  };

  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const stopping = new AbortController();
  const metrics = new Metrics();
  const serverConfig = serverConfigShape.server.parse(config);
  const door = openDoor({
    config: () => serverConfig,
    access: { tokens, processTokens: new ProcessTokens(), failedAttempts: new FailedAttempts() },
    facts: { version: '1.2.3', startedAt: Date.now(), pingStore: () => store.ping() },
    log,
    metrics,
    stopping: stopping.signal,
  });
  await rooms(door, { store, metrics });
  const url = await listen(door, '127.0.0.1', 0);
  onTestFinished(async () => {
    door.server.closeAllConnections();
    await door.close();
    await store.close();
  });

  return {
    door,
    url,
    store,
    location,
    tokens,
    tokenOf,
    stopping,
    serverConfig,
    logged,
    async call(path, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${tokenOf.admin}`);
      if (headers.get('authorization') === 'none') headers.delete('authorization');
      const response = await fetch(url + path, { ...init, headers });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      const body = isJson ? (JSON.parse(text) as Answer['body']) : {};
      return { status: response.status, headers: response.headers, text, body };
    },
  };
}
