import type { ChannelHost, ChannelState } from '../channels/channel.ts';
import type { UpdateEars } from './hear-updates.ts';
import { ALLOWED_UPDATES } from './read-update.ts';
import { refusalOf, type TelegramApi, toDeliveryError } from './telegram-api.ts';
import { UpdateLine } from './update-line.ts';

const POLL_SECONDS = 30;
/** While something is being heard, Telegram tells of it at once whenever it is asked; so it is asked only so often. */
export const PAUSE_MS = 400;
const MAX_BACKOFF_MS = 60_000;

/**
 * Asks Telegram for news, again and again, until the signal says to stop; also while what came before is still being heard.
 * Updates are acknowledged by asking for those after them, so that is only done once they are stored.
 */
export async function pollUpdates(
  host: Pick<ChannelHost, 'tell' | 'signal'>,
  api: TelegramApi,
  ears: UpdateEars,
): Promise<void> {
  let failures = 0;
  let told = '';
  const tell = (state: ChannelState) => {
    const text = JSON.stringify(state);
    if (text !== told) host.tell(state);
    told = text;
  };
  const line = new UpdateLine(ears, (reason) =>
    tell(reason === undefined ? { type: 'on' } : { type: 'trouble', reason }),
  );
  while (!host.signal.aborted) {
    try {
      const timeout = line.isIdle ? POLL_SECONDS : 0;
      const payload = { offset: line.offset, timeout, allowed_updates: [...ALLOWED_UPDATES] };
      const updates = await api.call('getUpdates', payload, host.signal);
      failures = 0;
      if (!line.isInTrouble) tell({ type: 'on' });
      line.take(updates);
      await pause(line, ears, host.signal);
    } catch (error) {
      if (host.signal.aborted) break;
      tell(stateOf(error));
      failures += 1;
      const ms = refusalOf(error)?.retryAfterMs ?? Math.min(MAX_BACKOFF_MS, 1000 * 2 ** (failures - 1));
      await ears.wait(ms, host.signal).catch(() => {});
    }
  }
  await line.settled();
}

/** Until all is heard, or for a moment. */
async function pause(line: UpdateLine, { wait }: UpdateEars, signal: AbortSignal): Promise<void> {
  if (line.isIdle) return;
  const over = new AbortController();
  const moment = wait(PAUSE_MS, AbortSignal.any([signal, over.signal])).catch(() => {});
  await Promise.race([line.settled(), moment]);
  over.abort();
}

/** What a failure says of the channel. */
export function stateOf(error: unknown): ChannelState {
  const refusal = refusalOf(error);
  if (refusal?.code === 409)
    return {
      type: 'trouble',
      reason: /webhook/i.test(refusal.text)
        ? 'Another program has set a webhook for this bot, so its messages don’t arrive here. Stop that program, or choose "webhook" here.'
        : 'Another program receives the messages of this bot with the same token. Stop it, or give it its own bot.',
    };
  const { problem, message } = toDeliveryError(error, true);
  if (problem.type === 'revoked')
    return { type: 'failed', reason: `${message}. The token is no longer valid. Get a new one from @BotFather.` };
  return { type: 'trouble', reason: message };
}
