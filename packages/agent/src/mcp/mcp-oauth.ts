import { randomBytes } from 'node:crypto';
import { DragomanError } from '@dragoman/protocol';
import {
  auth,
  type AuthProvider,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import type { OAuthSettings } from './mcp-config.ts';
import { LoginNeededError } from './login-needed-error.ts';
import type { ServerCredentials } from './mcp-credentials.ts';
import { type OAuthCallback, openOAuthCallback } from './oauth-callback.ts';

type UnauthorizedContext = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];

/** What a login needs, and whom it tells. */
export interface McpLoginOptions {
  settings: OAuthSettings;
  credentials: ServerCredentials;
  limitMs: number;
  /** Ends a login that is under way. */
  signal: AbortSignal;
  openBrowser: ((url: string) => void | Promise<void>) | undefined;
  /** The login that was under way is over; with an error when it did not succeed. */
  onFinished(error?: Error): void;
}

/**
 * Logs in at a remote server when it asks for that, with the library's OAuth.
 *
 * Tokens that can be refreshed are, and the request goes on. Else a person has to agree in a browser: the request
 * fails with the address to open, and the login goes on in the background until somebody came back from there or the
 * time is up. PKCE and the check of the issuer are the library's; the state and the way back are ours.
 */
export function mcpOAuth(options: McpLoginOptions): AuthProvider {
  const { credentials } = options;
  let underWay: Promise<void> | undefined;
  let pending: { url: string } | undefined;
  return {
    token: async () => (await credentials.read()).tokens?.access_token,
    // Several requests may be refused at once; one of them asks.
    onUnauthorized: (context) =>
      (underWay ??= authorise(context).finally(() => {
        underWay = undefined;
      })),
  };

  async function authorise(context: UnauthorizedContext): Promise<void> {
    if (pending !== undefined) throw new LoginNeededError(pending.url);
    const state = randomBytes(32).toString('base64url');
    const callback = await openOAuthCallback(state, await preferredPorts(options));
    const challenge = extractWWWAuthenticateParams(context.response);
    const scope = options.settings.scope ?? challenge.scope;
    const request = {
      serverUrl: context.serverUrl,
      fetchFn: context.fetchFn,
      ...(scope === undefined ? {} : { scope }),
      ...(challenge.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    };
    const flow = await loginFlow(options, callback.redirectUrl, state);
    try {
      if ((await auth(flow.provider, request)) === 'AUTHORIZED') return callback.close();
    } catch (error) {
      callback.close();
      throw error;
    }
    const url = flow.address();
    pending = { url };
    void finish(callback, async (params) => {
      const [code, iss] = [params.get('code') ?? '', params.get('iss')];
      await auth(flow.provider, { ...request, authorizationCode: code, ...(iss === null ? {} : { iss }) });
    });
    void openQuietly(options.openBrowser, url);
    throw new LoginNeededError(url);
  }

  async function finish(callback: OAuthCallback, redeem: (params: URLSearchParams) => Promise<void>): Promise<void> {
    try {
      const params = await callback.wait({ limitMs: options.limitMs, signal: options.signal });
      const refusal = params.get('error');
      if (refusal !== null)
        throw new DragomanError(
          'forbidden',
          `the login was refused: ${refusal.replaceAll(/[^\w.-]/g, '').slice(0, 60)}`,
        );
      await redeem(params);
      pending = undefined;
      options.onFinished();
    } catch (error) {
      pending = undefined;
      options.onFinished(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** A client that was registered with a way back may be refused with another one. */
async function preferredPorts({ settings, credentials }: McpLoginOptions): Promise<number[]> {
  if (settings.callbackPort !== undefined) return [settings.callbackPort];
  const { redirectUrl } = await credentials.read();
  const port = redirectUrl === undefined ? 0 : Number(URL.parse(redirectUrl)?.port);
  return port > 0 ? [port, 0] : [0];
}

/** What the library asks for during one login. */
async function loginFlow({ settings, credentials }: McpLoginOptions, redirectUrl: string, state: string) {
  let verifier = '';
  let address = '';
  let discovery: OAuthDiscoveryState | undefined;
  const known = await credentials.read();
  // Registered with another way back: to be registered again.
  if (settings.clientId === undefined && known.client !== undefined && known.redirectUrl !== redirectUrl)
    await credentials.change({ client: undefined });

  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Dragoman',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: settings.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(settings.scope === undefined ? {} : { scope: settings.scope }),
    },
    state: () => state,
    async clientInformation() {
      const { client } = await credentials.read();
      if (settings.clientId === undefined) return client;
      const issuer = client?.client_id === settings.clientId ? client.issuer : undefined;
      return {
        client_id: settings.clientId,
        ...(settings.clientSecret === undefined ? {} : { client_secret: settings.clientSecret.reveal() }),
        ...(issuer === undefined ? {} : { issuer }),
      };
    },
    async saveClientInformation(client) {
      // Of a client from the configuration only the issuer it belongs to is worth keeping; its secret stays there.
      const { client_secret: _secret, ...open } = client;
      await credentials.change({ client: settings.clientId === undefined ? client : open, redirectUrl });
    },
    tokens: async () => (await credentials.read()).tokens,
    saveTokens: (tokens) => credentials.change({ tokens }),
    redirectToAuthorization(url) {
      if (!['http:', 'https:'].includes(url.protocol))
        throw new DragomanError('bad-request', `the address to log in at begins with ${url.protocol}; expected https:`);
      address = url.href;
    },
    saveCodeVerifier(code) {
      verifier = code;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(state) {
      discovery = state;
    },
    discoveryState: () => discovery,
    async invalidateCredentials(what) {
      if (what === 'all' || what === 'client') await credentials.change({ client: undefined });
      if (what === 'all' || what === 'tokens') await credentials.change({ tokens: undefined });
      if (what === 'all' || what === 'discovery') discovery = undefined;
    },
  };
  return { provider, address: () => address };
}

/** Without a browser the address stands in the server's status. */
async function openQuietly(open: McpLoginOptions['openBrowser'], url: string): Promise<void> {
  try {
    await open?.(url);
  } catch {
    // The address is in the status, for a person to open.
  }
}
