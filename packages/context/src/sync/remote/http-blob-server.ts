import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DragomanError } from '@dragoman/protocol/error';
import type { Agent } from 'undici';
import { z } from 'zod';
import type { Blob, BlobServer, MissingBlobs } from '../../blob-server.ts';
import { type Clock, pause, systemClock } from '../pipeline/clock.ts';
import { toConnectionError, toServerError } from './server-error.ts';

export interface HttpBlobServerOptions {
  /** With or without a path and a slash at its end. */
  baseUrl: string;
  token: string;
  /** Whether it is one of ours, which takes packed bodies and indexes within moments. See `isDragoman`. */
  isDragoman: boolean;
  clock?: Clock;
}

/** A set of blobs, as a change to a checkpoint or from nothing. */
export interface BlobsReference {
  checkpointId: string | null;
  added: readonly string[];
  deleted: readonly string[];
}

export interface RetrievalRequest {
  query: string;
  blobs: BlobsReference;
  /** In characters; the server has a default. */
  maxLength?: number;
  requestId?: string;
}

const CALL_LIMIT_MS = 60_000;
const RETRIEVAL_LIMIT_MS = 120_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Below this, packing costs more than it saves. */
const MIN_PACKED_BYTES = 1_024;
/** How our own server is asked whether it has indexed: soon at first, and no longer than this in all. */
const FIRST_POLL_MS = 25;
const MAX_POLL_MS = 1_600;
const MAX_POLLS = 24;

const names = z.array(z.string()).nullish();
const missingSchema = z.object({ unknown_memory_names: names, nonindexed_blob_names: names });
const uploadedSchema = z.object({ blob_names: names });
const checkpointSchema = z.object({ new_checkpoint_id: z.string() });
const retrievalSchema = z.object({ formatted_retrieval: z.string() });
const modelsSchema = z.object({
  feature_flags: z.object({ max_upload_size_bytes: z.unknown().optional() }).nullish(),
});

const packed = promisify(gzip);

/** Any server that speaks the protocol: ours on another machine, or the official one. Calls are not repeated here; whoever calls knows whether that makes sense. */
export class HttpBlobServer implements BlobServer {
  readonly #options: HttpBlobServerOptions;
  readonly #clock: Clock;
  readonly #sessionId = randomUUID();
  readonly whenIndexed?: (blobNames: readonly string[], signal?: AbortSignal) => Promise<void>;
  #agent: Promise<Agent> | undefined;

  constructor(options: HttpBlobServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    if (options.isDragoman) this.whenIndexed = (blobNames, signal) => this.#pollUntilIndexed(blobNames, signal);
  }

  async findMissing(blobNames: readonly string[], signal?: AbortSignal): Promise<MissingBlobs> {
    const body = { model: '', mem_object_names: blobNames };
    const answer = await this.#call('find-missing', body, missingSchema, signal ? { signal } : {});
    return { unknown: answer.unknown_memory_names ?? [], nonindexed: answer.nonindexed_blob_names ?? [] };
  }

  async batchUpload(blobs: readonly Blob[], signal?: AbortSignal): Promise<string[]> {
    const body = { blobs: blobs.map(({ blobName, path, content }) => ({ blob_name: blobName, path, content })) };
    const answer = await this.#call('batch-upload', body, uploadedSchema, {
      ...(signal && { signal }),
      isPacked: true,
    });
    return answer.blob_names ?? [];
  }

  async maxBlobBytes(signal?: AbortSignal): Promise<number | undefined> {
    const { feature_flags: flags } = await this.#call('get-models', {}, modelsSchema, signal ? { signal } : {});
    const bytes = flags?.max_upload_size_bytes;
    return typeof bytes === 'number' && bytes > 0 ? bytes : undefined;
  }

  /** The id of the set that results. An id the server no longer knows counts as an empty set there. */
  async checkpointBlobs(blobs: BlobsReference, signal?: AbortSignal): Promise<string> {
    const body = { blobs: toWire(blobs) };
    const answer = await this.#call('checkpoint-blobs', body, checkpointSchema, signal ? { signal } : {});
    return answer.new_checkpoint_id;
  }

  /** The best places of the set as one text, under the request id that both logs then show. */
  async retrieve(
    { query, blobs, maxLength = 0, requestId = randomUUID() }: RetrievalRequest,
    signal?: AbortSignal,
  ): Promise<{ text: string; requestId: string }> {
    const body = {
      information_request: query,
      blobs: toWire(blobs),
      dialog: [],
      max_output_length: maxLength,
      disable_codebase_retrieval: false,
      enable_commit_retrieval: false,
    };
    const answer = await this.#call('agents/codebase-retrieval', body, retrievalSchema, {
      ...(signal && { signal }),
      requestId,
      limitMs: RETRIEVAL_LIMIT_MS,
    });
    return { text: answer.formatted_retrieval, requestId };
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  /** Ours has no call that waits, but indexes within moments; after a while the sync's own schedule takes over. */
  async #pollUntilIndexed(blobNames: readonly string[], signal?: AbortSignal): Promise<void> {
    let waiting = blobNames;
    for (let poll = 0; poll < MAX_POLLS && waiting.length > 0; poll++) {
      await pause(this.#clock, Math.min(FIRST_POLL_MS * 2 ** poll, MAX_POLL_MS), signal);
      if (signal?.aborted === true) throw cancelled();
      waiting = (await this.findMissing(waiting, signal)).nonindexed;
    }
  }

  async #call<Schema extends z.ZodType>(
    path: string,
    body: object,
    schema: Schema,
    options: { signal?: AbortSignal; requestId?: string; limitMs?: number; isPacked?: boolean },
  ): Promise<z.output<Schema>> {
    const url = `${this.#options.baseUrl.replace(/\/+$/, '')}/${path}`;
    const limitMs = options.limitMs ?? CALL_LIMIT_MS;
    const ending = new AbortController();
    const leave = () => ending.abort(cancelled());
    const callOff = this.#clock.after(limitMs, () =>
      ending.abort(
        new DragomanError('timed-out', `${url} did not answer within ${limitMs} ms.`, { isRetryable: true }),
      ),
    );
    options.signal?.addEventListener('abort', leave);
    try {
      if (options.signal?.aborted === true) throw cancelled();
      const text = JSON.stringify(body);
      const isPacked = options.isPacked === true && this.#options.isDragoman && text.length >= MIN_PACKED_BYTES;
      const sent = isPacked ? await packed(text, { level: 1 }) : text;
      const { request } = await import('undici');
      const answer = await request(url, {
        dispatcher: await this.#openAgent(),
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#options.token}`,
          'content-type': 'application/json',
          'x-request-id': options.requestId ?? randomUUID(),
          'x-request-session-id': this.#sessionId,
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        },
        body: sent,
        signal: ending.signal,
      });
      const said = await readText(answer.body, url);
      if (answer.statusCode < 200 || answer.statusCode > 299)
        throw toServerError(url, answer.statusCode, said, String(answer.headers['retry-after'] ?? '') || undefined);
      return understand(schema, said, url);
    } catch (error) {
      throw ending.signal.aborted ? (ending.signal.reason as DragomanError) : toConnectionError(url, error);
    } finally {
      callOff();
      options.signal?.removeEventListener('abort', leave);
    }
  }

  /** undici is loaded with the first call. The time limits are ours, so its own are off. */
  #openAgent(): Promise<Agent> {
    this.#agent ??= import('undici').then(
      ({ Agent: NewAgent }) => new NewAgent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 }),
    );
    return this.#agent;
  }
}

function toWire({ checkpointId, added, deleted }: BlobsReference) {
  return { checkpoint_id: checkpointId, added_blobs: added, deleted_blobs: deleted };
}

async function readText(body: AsyncIterable<Buffer>, url: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_ANSWER_BYTES)
      throw new DragomanError('unavailable', `The answer of ${url} is larger than ${MAX_ANSWER_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function understand<Schema extends z.ZodType>(schema: Schema, text: string, url: string): z.output<Schema> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new DragomanError('unavailable', `${url} did not answer with JSON; is it the right address?`);
  }
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new DragomanError(
    'unavailable',
    `The answer of ${url} cannot be understood: ${[...issue.path, issue.message].join(' ')}.`,
  );
}

function cancelled(): DragomanError {
  return new DragomanError('cancelled', 'The call was cancelled.');
}
