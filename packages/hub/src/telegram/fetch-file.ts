import { DragomanError } from '@dragoman/protocol';
import { refusalOf, type TelegramApi, TelegramCallError } from './telegram-api.ts';

/** Bots are given no more. */
const MAX_BYTES = 20_000_000;
const FETCH_MS = 60_000;

/** Where files are: their address holds the token, so nothing of it may be told. */
export interface FilePlace {
  api: TelegramApi;
  apiUrl: string;
  token: string;
}

/** The bytes of a file that somebody sent. Rejects with a `DragomanError` that the sender can do something with. */
export async function fetchFile(
  { api, apiUrl, token }: FilePlace,
  file: { file_id: string; file_size?: number | undefined },
  name: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if ((file.file_size ?? 0) > MAX_BYTES) throw tooLarge(name, file.file_size);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
  try {
    const { file_path } = await api.call('getFile', { file_id: file.file_id }, limit);
    if (file_path === undefined) throw failed(name, 'Telegram returned no download address');
    const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/file/bot${token}/${file_path}`, { signal: limit });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw failed(name, `Telegram answered ${response.status}`);
    }
    return await readBytes(response.body, name);
  } catch (error) {
    signal.throwIfAborted();
    if (/too big/i.test(refusalOf(error)?.text ?? '')) throw tooLarge(name, file.file_size);
    if (error instanceof DragomanError && !(error instanceof TelegramCallError)) throw error;
    // No cause: it may name the address.
    throw failed(name, limit.aborted ? `it took more than ${FETCH_MS / 1000} seconds` : 'the connection failed');
  }
}

async function readBytes(body: ReadableStream<Uint8Array>, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge(name, size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string, size: number | undefined): DragomanError {
  const is = size === undefined ? 'is too large' : `is ${(size / 1e6).toFixed(1)} MB`;
  return new DragomanError(
    'too-large',
    `${name} ${is}; bots can download at most ${MAX_BYTES / 1e6} MB from Telegram. Attach it in the console instead.`,
  );
}

function failed(name: string, reason: string): DragomanError {
  return new DragomanError('unavailable', `${name} could not be downloaded from Telegram: ${reason}. Send it again.`, {
    isRetryable: true,
  });
}
