import { DragomanError } from '@dragoman/protocol';
import type { Delivery } from '../channels/channel.ts';
import type { LarkApi } from './lark-api.ts';
import { codeOf, LarkCallError, toDeliveryError } from './lark-call-error.ts';

/** Lark's own limit for images. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Lark's own limit for files. */
export const MAX_FILE_BYTES = 30 * 1024 * 1024;

const UPLOAD_MS = 60_000;
const KEPT = 1000;
/** The text of a card does not wait longer for its images. */
const FIRST_MS = 15_000;
/** What may go through the next time is tried again after these. */
const RETRY_MS = [5000, 20_000, 60_000] as const;
/** An admin may grant a scope at any time. */
const SCOPE_MS = 5 * 60_000;

/** Why an image is not there: not yet, not at all, no scope for it, Lark does not take it, or it was removed. */
export type ImageProblem = 'later' | 'failed' | 'scope' | 'refused' | 'gone';

/** What came of the images of a card. */
export interface FoundImages {
  keys: Readonly<Record<string, string>>;
  problems: Readonly<Record<string, ImageProblem>>;
  /** When one that failed is due again. */
  retryAt: number | undefined;
}

type Kept = { key: string } | { problem: ImageProblem; attempts: number; retryAt: number | undefined };
type Source = Pick<Delivery<unknown>, 'readAttachment' | 'signal'>;

/**
 * The keys of images that were uploaded, so that each goes to Lark once for all changes of a card.
 *
 * They also stand in the receipt of the card; this memory is for attempts that failed, and for a second card that shows
 * the same image. An image never keeps its card back: what has no key is left out, and tried again later where that helps.
 */
export class ImageKeys {
  readonly #api: LarkApi;
  readonly #now: () => number;
  readonly #retryMs: readonly number[];
  readonly #kept = new Map<string, Kept>();

  constructor(
    api: LarkApi,
    { now, retryMs = RETRY_MS }: { now: () => number; retryMs?: readonly number[] | undefined },
  ) {
    this.#api = api;
    this.#now = now;
    this.#retryMs = retryMs;
  }

  /** Uploads what was not, or is due again. Rejects only where the signal says so. */
  async get(
    urls: readonly string[],
    known: Readonly<Record<string, string>>,
    source: Source,
    limitMs = FIRST_MS,
  ): Promise<FoundImages> {
    const keys: Record<string, string> = {};
    const problems: Record<string, ImageProblem> = {};
    let retryAt: number | undefined;
    const signal = AbortSignal.any([source.signal, AbortSignal.timeout(limitMs)]);
    for (const url of urls) {
      const kept = known[url] === undefined ? await this.#find(url, { ...source, signal }) : { key: known[url] };
      source.signal.throwIfAborted();
      if ('key' in kept) keys[url] = kept.key;
      else problems[url] = kept.problem;
      if ('problem' in kept && kept.problem === 'later')
        retryAt = Math.min(retryAt ?? Infinity, kept.retryAt ?? Infinity);
    }
    return { keys, problems, retryAt };
  }

  async #find(url: string, source: Source): Promise<Kept> {
    const before = this.#kept.get(url);
    if (before !== undefined && ('key' in before || this.#now() < (before.retryAt ?? Infinity))) return before;
    const result = await this.#upload(url, source);
    const kept = 'key' in result ? result : this.#again(result.problem, (before?.attempts ?? 0) + 1);
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    const oldest = this.#kept.size > KEPT ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  #again(problem: ImageProblem, attempts: number): Kept {
    const waitMs = problem === 'scope' ? SCOPE_MS : problem === 'later' ? this.#retryMs[attempts - 1] : undefined;
    const isOver = problem === 'later' && waitMs === undefined;
    return {
      problem: isOver ? 'failed' : problem,
      attempts,
      retryAt: waitMs === undefined ? undefined : this.#now() + waitMs,
    };
  }

  async #upload(url: string, { readAttachment, signal }: Source): Promise<{ key: string } | { problem: ImageProblem }> {
    try {
      const { bytes } = await readAttachment(url);
      if (bytes.length === 0 || bytes.length > MAX_IMAGE_BYTES) return { problem: 'refused' };
      return { key: await uploadImage(this.#api, bytes, signal) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }
}

function problemOf(error: unknown): ImageProblem {
  if (isNotFound(error)) return 'gone';
  if (isNoImage(error)) return 'refused';
  if (error instanceof LarkCallError && error.scopes.length > 0) return 'scope';
  // What is wrong with the whole app is said by the card itself.
  const { type } = toDeliveryError(error, 'make').problem;
  return type === 'later' || type === 'revoked' ? 'later' : 'refused';
}

/** The attachment was removed; everything else may be different the next time. */
export function isNotFound(error: unknown): boolean {
  return error instanceof DragomanError && error.code === 'not-found';
}

/** Lark does not take it as an image. */
export function isNoImage(error: unknown): boolean {
  return NOT_AN_IMAGE.has(codeOf(error) ?? 0);
}

/** Uploads an image and gives its key. */
export async function uploadImage(api: LarkApi, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { data } = await api.call({
    method: 'POST',
    path: 'im/v1/images',
    form: formOf({ image_type: 'message' }, 'image', { name: 'image', bytes }),
    signal,
    timeoutMs: UPLOAD_MS,
  });
  return keyOf(data?.['image_key']);
}

/** Uploads a file and gives its key. */
export async function uploadFile(api: LarkApi, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const ending = /\.([a-z0-9]+)$/iu.exec(name)?.[1]?.toLowerCase() ?? '';
  const { data } = await api.call({
    method: 'POST',
    path: 'im/v1/files',
    form: formOf({ file_type: FILE_TYPES[ending] ?? 'stream', file_name: name }, 'file', { name, bytes }),
    signal,
    timeoutMs: UPLOAD_MS,
  });
  return keyOf(data?.['file_key']);
}

function formOf(
  fields: Readonly<Record<string, string>>,
  name: string,
  file: { name: string; bytes: Uint8Array },
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(name, new Blob([new Uint8Array(file.bytes)]), file.name);
  return form;
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string') throw new LarkCallError('Lark accepted the upload but returned no key.');
  return key;
}

/** Files of these kinds can be looked at in the chat. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  pdf: 'pdf',
  doc: 'doc',
  docx: 'doc',
  xls: 'xls',
  xlsx: 'xls',
  ppt: 'ppt',
  pptx: 'ppt',
};

/** The bytes are no image that Lark knows, too large in bytes or pixels, or empty. */
const NOT_AN_IMAGE = new Set([234001, 234006, 234010, 234011, 234039]);
