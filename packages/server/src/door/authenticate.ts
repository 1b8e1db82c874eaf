import { DragomanError, isRoleAtLeast } from '@dragoman/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, TokenRefusal } from '../access/caller.ts';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { ProcessTokens } from '../access/process-tokens.ts';
import type { TokenStore } from '../access/token-store.ts';
import { refuseForeignPage } from './cross-origin.ts';
import type { BrowserLogin } from '../access/token-text.ts';
import { PAGE_SECRET_HEADER, readLoginCookie } from './login-cookie.ts';

export interface Access {
  tokens: TokenStore;
  processTokens: ProcessTokens;
  failedAttempts: FailedAttempts;
}

const HOW_TO =
  'Send a token as "Authorization: Bearer TOKEN", "x-api-key" or "api-key". Make one with: dragoman token create NAME';

/** Finds out who asks and whether they may. Runs before anything of the request's body is read. */
export async function authenticate(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
  const needed = request.is404 ? 'viewer' : (request.routeOptions.config.access ?? 'admin');
  if (needed === 'public') return;

  const given = readHeaderToken(request) ?? readBrowserLogin(request);
  if (given === undefined) {
    reply.header('www-authenticate', 'Bearer');
    throw new DragomanError('unauthenticated', `This call needs a token. ${HOW_TO}`);
  }
  const ofProcess = typeof given === 'string' ? access.processTokens.verify(given) : undefined;
  const caller = ofProcess ?? (await verifyStored(given, access));
  if (isRefusal(caller)) {
    await slowDown(request.ip, access.failedAttempts);
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    throw new DragomanError('unauthenticated', caller.message);
  }
  request.caller = caller;
  if (!isRoleAtLeast(caller.role, needed)) {
    throw new DragomanError(
      'forbidden',
      `This call needs the role ${needed}; the token "${caller.tokenName}" has the role ${caller.role}.`,
    );
  }
}

async function verifyStored(given: string | BrowserLogin, access: Access): Promise<Caller | TokenRefusal> {
  try {
    return await access.tokens.verify(given);
  } catch (error) {
    throw new DragomanError('database-unreachable', 'The database does not answer.', {
      cause: error,
      isRetryable: true,
    });
  }
}

/** Makes a wrong guess wait, and refuses it outright when too many wait already. */
export async function slowDown(address: string, failedAttempts: FailedAttempts): Promise<void> {
  if (await failedAttempts.holdBack(address)) return;
  throw new DragomanError('rate-limited', 'There were too many wrong tokens; wait a moment.', {
    isRetryable: true,
    retryAfterMs: 5_000,
  });
}

function readHeaderToken(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return bearer ?? firstHeader(request.headers['x-api-key']) ?? firstHeader(request.headers['api-key']);
}

function readBrowserLogin(request: FastifyRequest): BrowserLogin | undefined {
  const cookie = readLoginCookie(request.headers);
  if (cookie === undefined) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeignPage(request);
  const pageSecret = firstHeader(request.headers[PAGE_SECRET_HEADER]);
  if (pageSecret === undefined)
    throw new DragomanError(
      'unauthenticated',
      `The cookie of a browser counts only together with what pages of this server send as ${PAGE_SECRET_HEADER}. ${HOW_TO}`,
    );
  return { cookie, pageSecret };
}

function firstHeader(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === '' ? undefined : text;
}

function isRefusal(answer: Caller | TokenRefusal): answer is TokenRefusal {
  return 'reason' in answer;
}
