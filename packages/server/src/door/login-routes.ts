import { DragomanError, type UserId } from '@dragoman/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Access, slowDown } from './authenticate.ts';
import { refuseForeignPage } from './cross-origin.ts';
import { loginCookie } from './login-cookie.ts';
import { parseBody } from './read-body.ts';
import { callerOf } from './route-config.ts';

const loginSchema = z.object({ code: z.string().min(1).max(200), userId: z.string().max(100).optional() });

/**
 * Logging in with a one-time link.
 *
 * The code stands behind the `#` of the link, so it reaches no server log and no preview robot; the page sends it in a
 * body and gets the cookie, and a second secret to keep for itself.
 */
export function loginRoutes(door: FastifyInstance, access: Access, isSecure: boolean): void {
  door.post('/api/login', { config: { access: 'public' } }, async (request, reply) => {
    refuseForeignPage(request);
    const { code, userId } = parseBody(loginSchema, request.body);
    const login = await access.tokens.redeemLoginCode(code, userId as UserId | undefined);
    if (login === undefined) {
      await slowDown(request.ip, access.failedAttempts);
      throw new DragomanError(
        'unauthenticated',
        'This login link has expired or was already used. Create a new one with: dragoman token link',
      );
    }
    const maxAgeSeconds = Math.floor((login.expiresAt - Date.now()) / 1000);
    const { host } = request.headers;
    return reply
      .header('set-cookie', loginCookie(login.cookie, { host, maxAgeSeconds, isSecure }))
      .send({ pageSecret: login.pageSecret });
  });

  door.post('/api/logout', { config: { access: 'viewer' } }, async (request, reply) => {
    const { tokenId } = callerOf(request);
    if (tokenId !== undefined) await access.tokens.revokeById(tokenId);
    const { host } = request.headers;
    return reply
      .header('set-cookie', loginCookie('', { host, maxAgeSeconds: 0, isSecure }))
      .header('clear-site-data', '"cache"') // Browsers keep attachments for long.
      .send({});
  });

  door.get('/api/me', { config: { access: 'viewer' } }, (request) => {
    const { userId, userName, role, tokenName } = callerOf(request);
    return { userId, name: userName, user: { id: userId, name: userName }, role, token: tokenName };
  });
}
