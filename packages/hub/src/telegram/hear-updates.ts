import { DragomanError } from '@dragoman/protocol';
import type { Message, Update } from 'grammy/types';
import type { ChannelHost } from '../channels/channel.ts';
import type { Heard } from '../channels/heard.ts';
import type { MessageIds } from './message-ids.ts';
import { readMessages, readUpdate, type UpdateReader } from './read-update.ts';
import type { TelegramApi } from './telegram-api.ts';

/** What hears updates. */
export interface UpdateEars {
  host: Pick<ChannelHost, 'hear' | 'log' | 'signal'>;
  api: TelegramApi;
  ids: MessageIds;
  reader: UpdateReader;
  /** Lets so many milliseconds pass; rejects when the signal says so. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** So often it is tried to have an update heard that fails by itself, while everything else works. */
export const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** What Telegram shows of an answer to a press. */
const ANSWER_CHARS = 200;

/**
 * Has an update heard. Resolves when it is stored or given up, so that what is acknowledged to Telegram is not lost.
 *
 * Where nothing can be stored, it is tried until something can, and why is told. An update that fails by itself, or that
 * cannot even be read, is passed over: it would come again and again, and nothing behind it.
 */
export async function hearUntilStored(
  update: Update,
  album: readonly Message[],
  ears: UpdateEars,
  tell: (reason: string) => void,
): Promise<void> {
  const { host, wait } = ears;
  let ownFailures = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      return await hearUpdate(update, album, ears);
    } catch (error) {
      if (host.signal.aborted) throw error;
      ownFailures = failsByItself(error) ? ownFailures + 1 : 0;
      if (ownFailures === 0) tell(troubleOf(error));
      if (ownFailures === MAX_ATTEMPTS) return passOver(update, error, ears);
      await wait(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), host.signal);
    }
  }
}

/** Says that an update is given up, and nothing of what is in it. */
export function passOver({ update_id }: Update, error: unknown, { host }: Pick<UpdateEars, 'host'>): void {
  host.log.warn(
    { channel: 'telegram', updateId: update_id, reason: nameOf(error) },
    'could not handle an update; it is skipped',
  );
}

/** What may pass by itself, whoever said something. */
const PASSING = new Set(['unavailable', 'timed-out', 'database-unreachable', 'rate-limited', 'cancelled']);

/** Whether it is the matter of this update alone. Of what nobody knows it is not said: the store may be away. */
export function failsByItself(error: unknown): boolean {
  if (error instanceof DragomanError) return !error.isRetryable && !PASSING.has(error.code);
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}

/** Why nothing is heard. What a stranger's error says may have been said in a chat. */
export function troubleOf(error: unknown): string {
  return error instanceof DragomanError
    ? error.message
    : 'New messages can’t be stored, so they are waiting. Retrying; nothing is lost.';
}

/** Has one update heard. Rejects where it could not be stored; then it may come again. */
export async function hearUpdate(update: Update, album: readonly Message[], ears: UpdateEars): Promise<void> {
  const { host, ids, reader, api } = ears;
  let heard: Heard | undefined;
  try {
    see(update, ids);
    heard = album.length > 1 ? readMessages(album, reader) : readUpdate(update, reader);
  } catch (error) {
    host.log.warn(
      { channel: 'telegram', updateId: update.update_id, reason: nameOf(error) },
      'could not read an update',
    );
    return;
  }
  const answer = heard === undefined ? undefined : await host.hear(heard);
  const query = update.callback_query;
  if (query === undefined) return;
  // The button shows that it works on it until it is answered. Late is as good as never: it is not tried again, and
  // nothing waits for it.
  const text =
    answer === undefined
      ? {}
      : { text: answer.text.slice(0, ANSWER_CHARS).toWellFormed(), show_alert: answer.isRefused };
  void api.call('answerCallbackQuery', { callback_query_id: query.id, ...text }, host.signal).catch(() => {});
}

/** Notes how far messages are counted. */
export function see({ message, callback_query }: Update, ids: MessageIds): void {
  for (const each of [message, callback_query?.message])
    if (typeof each?.chat?.id === 'number') ids.see(each.chat.id, each.message_id);
}

/** Not its message: what was said may stand in it. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
