import { hideValues, MASK } from '@dragoman/protocol/secrets';
import type { z } from 'zod';
import { ToolError } from '../../tool.ts';

const LIMIT_MS = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REASON_LENGTH = 300;

/** One question to an engine. */
export interface EngineRequest {
  /** As people know it. */
  engine: string;
  url: URL;
  headers: Record<string, string>;
  /** Sent as JSON with POST; without one it is a GET. */
  body?: Readonly<Record<string, unknown>>;
  /** Statuses by which this engine refuses a key, beyond the usual ones. */
  keyStatuses?: readonly number[];
  /** What must never be told on, such as the key. */
  secret?: string;
}

/** The address of an engine, and the path of its search behind it. */
export function engineUrl(base: string, path: string): URL {
  return new URL(`${base.replace(/\/+$/, '')}${path}`);
}

/** Asks an engine and reads its answer. A refusal says whose turn it is: the model's, or the person's who configured it. */
export async function askEngine<Schema extends z.ZodType>(
  request: EngineRequest,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.infer<Schema>> {
  const { engine } = request;
  const { status, headers, text } = await send(request, signal);
  if (status < 200 || status > 299) throw refusal(request, status, headers, text);
  const answer = schema.safeParse(parsed(text));
  if (!answer.success)
    throw new ToolError(`The answer of ${engine} cannot be understood. Try again later, or use web-fetch instead.`, {
      cause: answer.error,
    });
  return answer.data;
}

interface EngineAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

async function send({ engine, url, headers, body }: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const { request } = await import('undici');
    const answer = await request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, limit]),
    });
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_BYTES) throw new Error(`its answer is larger than ${MAX_BYTES} bytes`);
    }
    return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(pieces).toString('utf8') };
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted ? `it did not answer within ${LIMIT_MS / 1000} s` : (error as Error).message;
    throw new ToolError(`${engine} cannot be asked: ${reason}. Try again later, or use web-fetch instead.`, {
      cause: error,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(
  { engine, keyStatuses = [], secret }: EngineRequest,
  status: number,
  headers: EngineAnswer['headers'],
  text: string,
): ToolError {
  const told = reasonIn(parsed(text)) ?? '';
  const reason = secret === undefined ? told : hideValues(told, [secret], MASK);
  const because = reason === '' ? '' : `: ${reason.slice(0, MAX_REASON_LENGTH).replace(/[.\s]+$/, '')}`;
  const metadata = { status };
  if (status === 401 || status === 403 || keyStatuses.includes(status))
    return new ToolError(
      `${engine} refused the request (${status})${because}. The person who runs the agent has to look at "webSearch" in the configuration; do not try again.`,
      { metadata },
    );
  if (status === 429) {
    const after = headers['retry-after'];
    const wait = typeof after === 'string' ? `after ${after} s` : 'in a while';
    return new ToolError(
      `${engine} has been asked too often (429)${because}. Try again ${wait}, with fewer searches.`,
      {
        metadata,
      },
    );
  }
  return new ToolError(`${engine} answered ${status}${because}. Try other words, or use web-fetch instead.`, {
    metadata,
  });
}

/** Engines put their reason in one of a few places. */
function reasonIn(body: unknown): string | undefined {
  for (const key of ['error', 'detail', 'message']) {
    const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[key];
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null) {
      const inner = reasonIn(value);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}
