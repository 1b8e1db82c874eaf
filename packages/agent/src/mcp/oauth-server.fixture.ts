import { createHash, randomUUID } from 'node:crypto';
import { demoHttpHandler, type LocalServer, serveLocally } from './http-server.fixture.ts';

/** An MCP server behind a login, and the authorisation server that grants it, each at its own address. */
export interface ProtectedServer {
  url: string;
  mcp: LocalServer;
  authority: LocalServer;
  /** Access tokens given out so far stop working; they can be refreshed. */
  expire(): void;
  /** Nothing given out so far works any more, refresh tokens included. */
  revoke(): void;
  /** What the person answers from now on. */
  answer: 'agree' | 'refuse';
  clients: Map<string, { redirect_uris: string[]; client_secret?: string }>;
  close(): Promise<void>;
}

/** Grants tokens as OAuth 2.1 has it: registration, PKCE, exact redirect addresses, refresh. */
export async function serveProtected(): Promise<ProtectedServer> {
  const codes = new Map<string, { challenge: string; redirect: string; client: string }>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const clients: ProtectedServer['clients'] = new Map();
  const demo = demoHttpHandler();

  const grant = (): Response => {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.add(access_token);
    refresh.add(refresh_token);
    return Response.json({ access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 });
  };

  const authority = await serveLocally(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    switch (pathname) {
      case '/.well-known/oauth-authorization-server':
        return Response.json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        });
      case '/register': {
        const metadata = (await request.json()) as { redirect_uris: string[] };
        const client_id = `client-${clients.size + 1}`;
        clients.set(client_id, metadata);
        return Response.json({ ...metadata, client_id }, { status: 201 });
      }
      case '/authorize': {
        const redirect = searchParams.get('redirect_uri')!;
        const client = searchParams.get('client_id')!;
        if (!clients.get(client)?.redirect_uris.includes(redirect)) return new Response('no', { status: 400 });
        const back = new URL(redirect);
        back.searchParams.set('state', searchParams.get('state')!);
        if (server.answer === 'refuse') back.searchParams.set('error', 'access_denied');
        else {
          const code = randomUUID();
          codes.set(code, { challenge: searchParams.get('code_challenge')!, redirect, client });
          back.searchParams.set('code', code);
        }
        return new Response(null, { status: 302, headers: { location: back.href } });
      }
      case '/token': {
        const form = new URLSearchParams(await request.text());
        const secret = clients.get(form.get('client_id') ?? '')?.client_secret;
        if (secret !== undefined && form.get('client_secret') !== secret)
          return Response.json({ error: 'invalid_client' }, { status: 401 });
        if (form.get('grant_type') === 'refresh_token')
          return refresh.delete(form.get('refresh_token')!)
            ? grant()
            : Response.json({ error: 'invalid_grant' }, { status: 400 });
        const code = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url');
        const isGood = code?.challenge === challenge && code.redirect === form.get('redirect_uri');
        return isGood ? grant() : Response.json({ error: 'invalid_grant' }, { status: 400 });
      }
      default:
        return undefined;
    }
  });

  const mcp = await serveLocally((request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [authority.origin] });
    if (access.has(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')) return demo(request);
    const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    return new Response('log in', { status: 401, headers: { 'www-authenticate': where } });
  });

  const server: ProtectedServer = {
    url: `${mcp.origin}/mcp`,
    mcp,
    authority,
    clients,
    answer: 'agree',
    expire: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
    async close() {
      await Promise.all([mcp.close(), authority.close()]);
    },
  };
  return server;
}
