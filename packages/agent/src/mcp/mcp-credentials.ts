import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { z } from 'zod';

/** Where logins are kept between runs; one text per server. The caller sees to it that nobody else reads it. */
export interface McpAuthStore {
  get(server: string): Promise<string | undefined> | string | undefined;
  set(server: string, value: string): Promise<void> | void;
  delete(server: string): Promise<void> | void;
}

/** What logging in at servers needs of the program around the agent. */
export interface McpAuth {
  store: McpAuthStore;
  /** Shows a person where to log in. Without it the address stands in the server's status. */
  openBrowser?: ((url: string) => void | Promise<void>) | undefined;
}

/** What is known about one server's login. */
export interface Credentials {
  client?: StoredOAuthClientInformation | undefined;
  /** Where the client was registered to come back to. */
  redirectUrl?: string | undefined;
  tokens?: StoredOAuthTokens | undefined;
}

const savedSchema = z.looseObject({
  url: z.string(),
  redirectUrl: z.string().optional(),
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
});

/** Logins in memory, for when there is nowhere to keep them. */
export function forgetfulAuthStore(): McpAuthStore {
  const kept = new Map<string, string>();
  return {
    get: (server) => kept.get(server),
    set: (server, value) => void kept.set(server, value),
    delete: (server) => void kept.delete(server),
  };
}

/**
 * The login of one server, read once and written whenever it changes.
 *
 * It belongs to the server's address: when the configuration names another, what was kept is of no use there, and is
 * not sent there.
 */
export function credentialsOf(store: McpAuthStore, server: string, url: string) {
  let loaded: Promise<Credentials> | undefined;
  const load = async (): Promise<Credentials> => {
    const text = await store.get(server);
    if (text === undefined) return {};
    const saved = savedSchema.safeParse(parsed(text));
    if (!saved.success || saved.data.url !== url) return {};
    const { client, redirectUrl, tokens } = saved.data;
    return { client, redirectUrl, tokens };
  };
  const read = (): Promise<Credentials> => (loaded ??= load());
  return {
    read,
    async change(change: Credentials): Promise<void> {
      const next = { ...(await read()), ...change };
      loaded = Promise.resolve(next);
      await store.set(server, JSON.stringify({ url, ...next }));
    },
    async forget(): Promise<void> {
      loaded = Promise.resolve({});
      await store.delete(server);
    },
  };
}
export type ServerCredentials = ReturnType<typeof credentialsOf>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
