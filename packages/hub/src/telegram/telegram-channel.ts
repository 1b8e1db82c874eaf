import type { ChannelKind } from '../channels/channel.ts';
import type { TelegramSettings } from './telegram-config.ts';
import { SETUP_WORDS } from './setup-words.ts';

/** The step with which the form is saved. */
const SAVED_AT = 4;
/** About how long that takes. */
const MINUTES = 2;

/** Telegram. What talks to it is loaded when a bot is configured. */
export const telegramChannel: ChannelKind<TelegramSettings> = {
  name: 'telegram',
  title: 'Telegram',
  guide(language, publicUrl) {
    const { steps, fields } = SETUP_WORDS[language];
    return {
      steps: steps(publicUrl?.startsWith('https://') === true),
      savedAt: SAVED_AT,
      minutes: MINUTES,
      fields: [
        {
          name: 'token',
          label: fields.token,
          kind: 'secret',
          help: fields.tokenHelp,
          placeholder: '123456789:AAE…',
          isRequired: true,
        },
        {
          name: 'receive',
          label: fields.receive,
          kind: 'choice',
          choices: [
            { value: 'polling', label: fields.polling },
            { value: 'webhook', label: fields.webhook },
          ],
          help: fields.receiveHelp,
          isRequired: false,
        },
        {
          name: 'apiUrl',
          label: fields.apiUrl,
          kind: 'text',
          help: fields.apiUrlHelp,
          placeholder: 'https://api.telegram.org',
          isRequired: false,
        },
      ],
    };
  },
  async open(settings, host) {
    const { TelegramChannel } = await import('./open-telegram.ts');
    return new TelegramChannel(settings, host);
  },
};
