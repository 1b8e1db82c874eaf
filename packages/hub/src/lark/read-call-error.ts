import { LarkCallError } from './lark-call-error.ts';
import { CODES } from './lark-codes.ts';

/** HTTP 200 may still say no. The path is that of the call. */
export function accepted(answer: unknown, path: string): object {
  if (typeof answer !== 'object' || answer === null) throw new LarkCallError('Lark did not answer with JSON.');
  const { code, msg } = answer as { code?: unknown; msg?: unknown };
  if (code === 0) return answer;
  throw refusal(typeof code === 'number' ? code : undefined, 200, { msg, path });
}

/** What the SDK throws: an HTTP error with an answer, an error of the network, or a sentence with a code about the token. */
export function callError(thrown: unknown, path = ''): LarkCallError {
  if (thrown instanceof LarkCallError) return thrown;
  const error = thrown as {
    code?: unknown;
    message?: unknown;
    response?: { status?: unknown; data?: unknown; headers?: Readonly<Record<string, unknown>> };
  };
  if (error.response !== undefined && typeof error.response.status === 'number') {
    const { code, msg } = bodyOf(error.response.data);
    return refusal(code, error.response.status, { msg, path, afterMs: afterMsOf(error.response.headers) });
  }
  const ofToken = typeof error.message === 'string' ? /access_token, code: (\d+)/u.exec(error.message) : null;
  if (ofToken !== null) return refusal(Number(ofToken[1]), 200, { path });
  const code = typeof error.code === 'string' ? error.code : undefined;
  const isUnsent = code !== undefined && NEVER_SENT.has(code);
  // The error of the HTTP library holds the request with its token; it is not kept as the cause.
  return new LarkCallError(
    isUnsent
      ? `Lark cannot be reached (${code}). Check the network and the proxy of this machine.`
      : `Lark did not answer${code === undefined ? '' : ` (${code})`}.`,
    { isUnsent, isTooLarge: typeof error.message === 'string' && error.message.startsWith('maxContentLength') },
  );
}

function refusal(
  code: number | undefined,
  status: number,
  { msg, path, afterMs }: { msg?: unknown; path: string; afterMs?: number | undefined },
): LarkCallError {
  const known = code === undefined ? undefined : CODES[code];
  const scopes = code !== undefined && NO_SCOPE.has(code) ? scopesOf(msg, path) : [];
  const named = scopes.length === 0 ? known : known?.replace('a scope is', `the scope ${scopes.join(' or ')} is`);
  return new LarkCallError(
    code === undefined || code === 0
      ? `Lark answered with HTTP ${status}.`
      : `Lark answered with code ${code}${named === undefined ? '.' : `: ${named}`}`,
    { code, status, afterMs, isLocked: typeof msg === 'string' && msg.includes('card action is lock'), scopes },
  );
}

/** Lark names in brackets those of which it wants one; where it does not, the one that the guide has for such calls. */
function scopesOf(msg: unknown, path: string): string[] {
  const [, list = ''] = typeof msg === 'string' ? (/\[([\w.:, -]{1,500})\]/u.exec(msg) ?? []) : [];
  const named = list.split(',').flatMap((name) => /^[a-z]\w*(?::[\w.]+)+$/u.exec(name.trim())?.[0] ?? []);
  if (named.length > 0) return named.slice(0, 5);
  return SCOPE_OF_PATH.flatMap(([start, scope]) => (path.startsWith(start) ? [scope] : [])).slice(0, 1);
}

/** The app, or the person it acts for, was not granted something. */
const NO_SCOPE = new Set([99991672, 99991679]);
const SCOPE_OF_PATH = [
  ['im/v1/images', 'im:resource'],
  ['im/v1/files', 'im:resource'],
  ['im/v1/messages', 'im:message:send_as_bot'],
  ['cardkit/', 'cardkit:card:write'],
] as const;

function bodyOf(data: unknown): { code: number | undefined; msg: unknown } {
  let body = data;
  if (Buffer.isBuffer(data)) {
    try {
      body = JSON.parse(data.toString('utf8')) as unknown;
    } catch {
      body = undefined;
    }
  }
  if (typeof body !== 'object' || body === null) return { code: undefined, msg: undefined };
  const { code, msg } = body as { code?: unknown; msg?: unknown };
  return { code: typeof code === 'number' ? code : undefined, msg };
}

/** Lark says in whole seconds when the window of the limit ends. */
function afterMsOf(headers: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const seconds = Number(headers?.['x-ogw-ratelimit-reset'] ?? headers?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 600) * 1000 : undefined;
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
