import { DragomanError } from '@dragoman/protocol';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { ServerConfig } from '../config/server-config.ts';
import { maskSecrets } from './mask-secrets.ts';

/** What is kept out of a log, and where it goes. */
export interface LogOptions {
  /** What the configuration holds in confidence, as it is now. */
  confidential?: () => readonly string[];
  stream?: NodeJS.WriteStream;
}

/**
 * The log goes to standard error: pretty on a terminal, one JSON object per line otherwise, and without secrets: those of the
 * configuration, and what looks like one.
 *
 * Of an error only its kind, message and stack are written. Other fields may hold what somebody sent, such as the
 * values of a database row.
 */
export async function openLog(
  config: ServerConfig['log'],
  { confidential = () => [], stream = process.stderr }: LogOptions = {},
): Promise<Logger> {
  const isPretty = config.format === 'pretty' || (config.format === 'auto' && stream.isTTY);
  const options = {
    level: config.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
  };
  return pino(options, withoutSecrets(isPretty ? await prettyStream(stream) : stream, confidential));
}

function withoutSecrets(stream: DestinationStream, confidential: () => readonly string[]): DestinationStream {
  const mask = maskSecrets(confidential);
  return { write: (line) => stream.write(withoutCommands(mask(line))) };
}

/** JSON leaves these as they are, though a terminal acts on them. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

function withoutCommands(line: string): string {
  return line.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** An escape of JSON; `\\\\` too, so that what follows it is not taken for one. */
const ESCAPE = /\\(?:u(....)|.)/g;

/** A line of JSON in which what would command a terminal is only a picture of itself once it is no longer escaped. */
function pictured(line: string): string {
  return line.replace(ESCAPE, (escape, hex: string | undefined) => {
    if (['\\b', '\\f', '\\r'].includes(escape)) return ' ';
    if (hex === undefined) return escape;
    const code = Number.parseInt(hex, 16);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD';
  });
}

async function prettyStream(stream: NodeJS.WriteStream): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  const prettied = pretty({
    destination: stream,
    colorize: stream.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,method,route,status,ms',
  });
  return { write: (line) => prettied.write(pictured(line)) };
}

function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const cause = error.cause === undefined ? {} : { cause: toLoggedError(error.cause) };
  return {
    type: error.name,
    ...(error instanceof DragomanError ? { code: error.code } : {}),
    message: error.message,
    stack: error.stack,
    ...cause,
  };
}
