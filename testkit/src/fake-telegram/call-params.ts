import { badRequest } from './bot-api-error.ts';

/** A file that came with a call. */
export interface UploadedFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/**
 * The parameters of a call, however they came.
 *
 * JSON has numbers, booleans and objects; forms have texts only, with JSON in them for what is an object. The Bot API
 * takes both for everything.
 */
export class CallParams {
  readonly values: Readonly<Record<string, unknown>>;
  readonly #files: ReadonlyMap<string, UploadedFile>;

  constructor(values: Readonly<Record<string, unknown>>, files: ReadonlyMap<string, UploadedFile> = new Map()) {
    this.values = values;
    this.#files = files;
  }

  text(name: string): string {
    const value = this.values[name];
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  }

  integer(name: string): number | undefined {
    const text = this.text(name).trim();
    return /^-?\d+$/.test(text) ? Number(text) : undefined;
  }

  flag(name: string): boolean {
    return ['true', 'yes', '1'].includes(this.text(name).trim().toLowerCase());
  }

  /** An object or a list; undefined where there is none. */
  json(name: string, what: string): unknown {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw badRequest(`can't parse ${what} JSON object`);
    }
  }

  /** A file under its own name, or under the one that `attach://name` says. */
  file(name: string): UploadedFile | undefined {
    const value = this.text(name);
    return this.#files.get(value.startsWith('attach://') ? value.slice('attach://'.length) : name);
  }
}

/** Reads the body of a call: JSON, a form, or a form with files. The address may carry parameters too. */
export function readCallParams(query: URLSearchParams, contentType: string, body: Buffer): CallParams {
  const values: Record<string, unknown> = Object.fromEntries(query);
  const files = new Map<string, UploadedFile>();
  const [kind = ''] = contentType.toLowerCase().split(';');
  if (kind === 'application/json' && body.length > 0) Object.assign(values, parseObject(body.toString()));
  if (kind === 'application/x-www-form-urlencoded') {
    Object.assign(values, Object.fromEntries(new URLSearchParams(body.toString())));
  }
  if (kind === 'multipart/form-data') {
    const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
    for (const part of readParts(body, `--${boundary?.[1] ?? boundary?.[2] ?? ''}`)) {
      if (part.fileName === undefined) values[part.name] = part.bytes.toString();
      else files.set(part.name, { name: part.fileName, mediaType: part.mediaType, bytes: new Uint8Array(part.bytes) });
    }
  }
  return new CallParams(values, files);
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest("can't parse JSON object");
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('object expected as parameters');
  return value as Record<string, unknown>;
}

interface FormPart {
  name: string;
  fileName: string | undefined;
  mediaType: string;
  bytes: Buffer;
}

function readParts(body: Buffer, boundary: string): FormPart[] {
  const parts: FormPart[] = [];
  let at = body.indexOf(boundary);
  while (at !== -1) {
    const begin = at + boundary.length;
    const next = body.indexOf(`\r\n${boundary}`, begin);
    const headEnd = body.indexOf('\r\n\r\n', begin);
    if (next === -1 || headEnd === -1 || headEnd > next) break;
    const head = body.subarray(begin, headEnd).toString();
    parts.push({
      name: /;\s*name="?([^";\r\n]*)"?/i.exec(head)?.[1] ?? '',
      fileName: /;\s*filename="?([^";\r\n]*)"?/i.exec(head)?.[1],
      mediaType: /content-type:\s*([^\r\n;]+)/i.exec(head)?.[1] ?? 'application/octet-stream',
      bytes: body.subarray(headEnd + 4, next),
    });
    at = next + 2;
  }
  return parts;
}
