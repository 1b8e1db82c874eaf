import { DragomanError } from '@dragoman/protocol';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { ServerConfig } from '../config/server-config.ts';

/**
 * The log goes to standard error: pretty on a terminal, one JSON object per line otherwise.
 *
 * Of an error only its kind, message and stack are written. Other fields may hold what somebody sent, such as the
 * values of a database row.
 */
export async function openLog(
  config: ServerConfig['log'],
  stream: NodeJS.WriteStream = process.stderr,
): Promise<Logger> {
  const isPretty = config.format === 'pretty' || (config.format === 'auto' && stream.isTTY);
  const options = {
    level: config.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
  };
  return pino(options, isPretty ? await prettyStream(stream) : stream);
}

async function prettyStream(stream: NodeJS.WriteStream): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: stream,
    colorize: stream.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,method,route,status,ms',
  });
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
