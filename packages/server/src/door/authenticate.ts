import { DragomanError, isRoleAtLeast, type TokenRole } from '@dragoman/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, TokenRefusal } from '../access/caller.ts';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { ProcessTokens } from '../access/process-tokens.ts';
import type { TokenStore } from '../access/token-store.ts';
import { refuseForeignPage } from './cross-origin.ts';
import type { BrowserLogin } from '../access/token-text.ts';
import { PAGE_SECRET_HEADER, readLoginCookie } from './login-cookie.ts';
import { pathTokenOf } from './path-token.ts';

export interface Access {
  tokens: TokenStore;
  processTokens: ProcessTokens;
  failedAttempts: FailedAttempts;
}

const howTo = (isInQuery = false) =>
  `Send a token as "Authorization: Bearer TOKEN", "x-api-key", "api-key" or "x-goog-api-key"${isInQuery ? ', or as "?key=TOKEN" in the URL' : ''}. Create one with: dragoman token create NAME`;

/** Where clients of the various protocols put it. */
const KEY_HEADERS = ['x-api-key', 'api-key', 'x-goog-api-key'] as const;
/** Where Google's clients may put it too. */
const QUERY_KEY = 'key';

/** Finds out who asks and whether they may. Runs before anything of the request's body is read. */
export async function authenticate(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
  const needed = request.is404 ? 'any-token' : (request.routeOptions.config.access ?? 'admin');
  const inPath = pathTokenOf(request.raw);
  if (needed === 'public' && inPath === undefined) return;

  const { takesKeyInQuery } = request.routeOptions.config;
  const inQuery = takesKeyInQuery === true ? takeQueryKey(request) : undefined;
  const given = inPath ?? readHeaderToken(request) ?? inQuery ?? readBrowserLogin(request);
  if (given === undefined) {
    reply.header('www-authenticate', 'Bearer');
    throw new DragomanError('unauthenticated', `This request needs a token. ${howTo(takesKeyInQuery)}`);
  }
  const ofProcess = typeof given === 'string' ? access.processTokens.verify(given) : undefined;
  const caller = ofProcess ?? (await verifyStored(given, access));
  if (isRefusal(caller)) {
    await slowDown(request.ip, access.failedAttempts);
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    throw new DragomanError('unauthenticated', caller.message);
  }
  request.caller = caller;
  // Addresses are kept in histories and in logs of others, so one lets nobody do more than call models.
  if (inPath !== undefined && caller.role !== 'models')
    throw new DragomanError(
      'forbidden',
      `A token in the URL must have the role models, which can only call models; "${caller.tokenName}" has the role ${caller.role}. Create one with: dragoman token create NAME --role models`,
    );
  if (needed === 'any-token') return;
  if (needed === 'public' || !isRoleAtLeast(caller.role, needed))
    throw new DragomanError('forbidden', whatIsNeeded(needed, caller));
}

function whatIsNeeded(needed: TokenRole | 'public', { tokenName, role }: Caller): string {
  if (role === 'models')
    return `The token "${tokenName}" has the role models, so it can only call models. This request does something else.`;
  return `This request needs the role ${needed === 'models' ? 'member or models' : needed}; the token "${tokenName}" has the role ${role}.`;
}

async function verifyStored(given: string | BrowserLogin, access: Access): Promise<Caller | TokenRefusal> {
  try {
    return await access.tokens.verify(given);
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError('database-unreachable', 'The database is not responding.', {
      cause: error,
      isRetryable: true,
    });
  }
}

/** Makes a wrong guess wait, and refuses it outright when too many wait already. */
export async function slowDown(address: string, failedAttempts: FailedAttempts): Promise<void> {
  if (await failedAttempts.holdBack(address)) return;
  throw new DragomanError('rate-limited', 'Too many requests with a wrong token. Wait a moment, then try again.', {
    isRetryable: true,
    retryAfterMs: 5_000,
  });
}

function readHeaderToken(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  for (const name of KEY_HEADERS) {
    const key = firstHeader(request.headers[name]);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Takes the key out of the address, so that nobody behind the door can write it down. */
function takeQueryKey(request: FastifyRequest): string | undefined {
  const { raw } = request;
  const [path, query] = (raw.url ?? '').split(/\?(.*)/s, 2);
  if (query === undefined) return undefined;
  const fields = new URLSearchParams(query);
  const key = fields.get(QUERY_KEY);
  if (key === null) return undefined;
  fields.delete(QUERY_KEY);
  raw.url = fields.size === 0 ? path! : `${path}?${fields.toString()}`;
  delete (request.query as Record<string, unknown>)[QUERY_KEY];
  return key === '' ? undefined : key;
}

function readBrowserLogin(request: FastifyRequest): BrowserLogin | undefined {
  const cookie = readLoginCookie(request.headers);
  if (cookie === undefined) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeignPage(request);
  const pageSecret = firstHeader(request.headers[PAGE_SECRET_HEADER]);
  if (pageSecret === undefined)
    throw new DragomanError(
      'unauthenticated',
      `A browser cookie is only accepted from pages of this server, which also send ${PAGE_SECRET_HEADER}. ${howTo()}`,
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
