import { type FakeTelegram, fakeTelegram } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import type { ChannelState } from '../channels/channel.ts';
import type { Heard, PressAnswer } from '../channels/heard.ts';
import { MessageIds } from './message-ids.ts';
import { PAUSE_MS, pollUpdates } from './poll-updates.ts';
import { telegramApi } from './telegram-api.ts';

/** A bot that polls, for which no time passes while it waits. */
export async function pollingBot(
  hear: (heard: Heard, telegram: FakeTelegram) => Promise<PressAnswer | undefined | void>,
) {
  const telegram = await fakeTelegram({ limits: false });
  const ann = telegram.addUser({ name: 'Ann' });
  const api = telegramApi(telegram.token, telegram.url);
  const closing = new AbortController();
  const { signal } = closing;
  const [states, logged, waits]: [ChannelState[], object[], number[]] = [[], [], []];
  const log = (fields: object, message: string) => void logged.push({ ...fields, message });
  const start = async () => {
    const me = await api.call('getMe', {}, signal);
    const polling = pollUpdates({ tell: (state) => void states.push(state), signal }, api, {
      host: {
        hear: async (heard) => (await hear(heard, telegram)) ?? undefined,
        log: { debug: log, info: log, warn: log },
        signal,
      },
      api,
      ids: new MessageIds(),
      reader: { me, fetchFile: () => Promise.reject(new Error('there is none')) },
      wait: async (ms) => {
        if (ms !== PAUSE_MS) waits.push(ms);
      },
    });
    onTestFinished(async () => {
      closing.abort();
      await polling;
      await telegram.close();
    });
  };
  return { telegram, ann, states, logged, waits, start };
}
