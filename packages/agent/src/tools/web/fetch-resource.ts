import type { LookupFunction } from 'node:net';
import { ToolError } from '../tool.ts';
import { checkHost, type HostAddress, type HostRules } from './check-host.ts';
import { hostOf, toAddress } from './web-address.ts';

/** More than this is not read, however it was packed. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const CONNECT_MS = 15_000;
/** What a server says of its refusal is told up to here. */
const MAX_REASON_LENGTH = 500;

const USER_AGENT = 'Mozilla/5.0 (compatible; Dragoman)';

/** What to get, and on which terms. */
export interface ResourceRequest extends HostRules {
  url: URL;
  accept: string;
  /** For the network; what a person takes to answer is not counted. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Asks whether a host may be spoken to that was not the one asked for. Throws when it may not. */
  askHost: (host: string) => Promise<void>;
}

/** What was at an address. */
export interface Resource {
  /** Where it was found in the end. */
  url: URL;
  status: number;
  /** As the server says, or empty. */
  contentType: string;
  bytes: Buffer;
}

/**
 * Gets what is at an address, following redirects by hand: every host on the way is checked, and one that was not
 * asked for is asked about.
 */
export async function fetchResource(request: ResourceRequest): Promise<Resource> {
  let { url } = request;
  let leftMs = request.timeoutMs;
  for (let redirects = 0; ; redirects++) {
    const startedAt = performance.now();
    const answer = await fetchOnce(url, request, leftMs);
    leftMs -= performance.now() - startedAt;
    if (!('location' in answer)) return answer;

    if (redirects === MAX_REDIRECTS)
      throw new ToolError(
        `${request.url.href} redirects more than ${MAX_REDIRECTS} times; the last was to ${url.href}.`,
      );
    const next = toAddress(answer.location, url);
    if (hostOf(next) !== hostOf(url)) await request.askHost(hostOf(next));
    url = next;
  }
}

async function fetchOnce(
  url: URL,
  request: ResourceRequest,
  timeoutMs: number,
): Promise<Resource | { location: string }> {
  const limit = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const signal = AbortSignal.any([request.signal, limit]);
  try {
    const addresses = await checkHost(url, request, signal);
    const { Agent, fetch } = await import('undici');
    const dispatcher = new Agent({ connect: { lookup: pinned(addresses), timeout: CONNECT_MS }, connections: 1 });
    try {
      const response = await fetch(url, {
        dispatcher,
        signal,
        redirect: 'manual',
        headers: { accept: request.accept, 'user-agent': USER_AGENT, 'accept-language': 'en, *;q=0.5' },
      });
      const location = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && location !== null) return { location };
      const contentType = response.headers.get('content-type') ?? '';
      if (!response.ok) throw await refusal(url, response, contentType);
      return { url, status: response.status, contentType, bytes: await readBody(url, response) };
    } finally {
      await dispatcher.destroy();
    }
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof ToolError) throw error;
    if (limit.aborted)
      throw new ToolError(
        `${url.href} did not answer within ${request.timeoutMs / 1000} s. Try a longer timeout (120 s at most), or another source.`,
        { cause: error },
      );
    throw new ToolError(`${url.href} cannot be reached: ${rootMessage(error)}.`, { cause: error });
  }
}

/** Whatever name a connection asks for, it gets the addresses that were checked. */
function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

interface Answer {
  status: number;
  statusText: string;
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
}

async function readBody(url: URL, answer: Answer): Promise<Buffer> {
  const told = Number(answer.headers.get('content-length') ?? 0);
  if (told > MAX_BYTES) throw tooLarge(url, `${told} bytes`);
  const { bytes, isWhole } = await readUpTo(answer, MAX_BYTES);
  if (!isWhole) throw tooLarge(url, `larger`);
  return bytes;
}

async function readUpTo(answer: Answer, limit: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > limit) return { bytes: Buffer.concat(pieces).subarray(0, limit), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}

function tooLarge(url: URL, size: string): ToolError {
  return new ToolError(
    `${url.href} is ${size}; the limit is ${MAX_BYTES} bytes. Look for a smaller page, or download it with a command.`,
  );
}

async function refusal(url: URL, answer: Answer, contentType: string): Promise<ToolError> {
  const isText = /^text\/plain|json/i.test(contentType);
  const { bytes } = isText ? await readUpTo(answer, MAX_REASON_LENGTH) : { bytes: Buffer.alloc(0) };
  const reason = bytes.toString('utf8').trim();
  const retryAfter = answer.headers.get('retry-after');
  const status = `${answer.status} ${answer.statusText}`.trim();
  return new ToolError(
    `${url.href} answered ${status}${retryAfter === null ? '' : ` (retry after ${retryAfter})`}${reason === '' ? '.' : `: ${reason}`}`,
    { metadata: { status: answer.status } },
  );
}

/** What lies at the bottom of "fetch failed". */
function rootMessage(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (deepest instanceof AggregateError && deepest.errors.length > 0) deepest = deepest.errors[0];
  return deepest instanceof Error ? deepest.message : String(deepest);
}
