import type { BotMethod } from '../bot-api.ts';
import { badRequest } from '../bot-api-error.ts';
import { CallParams } from '../call-params.ts';

const COMMAND_LIMIT = 100;
const CALLBACK_TEXT_LIMIT = 200;

/** The methods about the bot itself: who it is, how it hears, what it offers, what it says to a press. */
export const botMethods: Readonly<Record<string, BotMethod>> = {
  getMe: (api) => ({
    ...api.world.bot,
    can_join_groups: true,
    can_read_all_group_messages: api.readsAll,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: api.hasPrivateTopics,
    allows_users_to_create_topics: false,
  }),

  getUpdates: (api, params, signal) => api.updates.getUpdates(params, signal),

  setWebhook(api, params) {
    api.updates.setWebhook(params);
    return true;
  },

  deleteWebhook(api, params) {
    const { drop_pending_updates } = params.values;
    api.updates.setWebhook(new CallParams({ drop_pending_updates }));
    return true;
  },

  getWebhookInfo: (api) => api.updates.webhookInfo(),

  setMyCommands(api, params) {
    const commands = params.json('commands', 'commands');
    if (!Array.isArray(commands)) throw badRequest('expected an Array of BotCommand');
    if (commands.length > COMMAND_LIMIT) throw badRequest('BOT_COMMANDS_TOO_MUCH');
    const checked = (commands as Record<string, unknown>[]).map(({ command, description }) => {
      const name = String(command).replace(/^\//, '');
      if (!/^[a-z0-9_]{1,32}$/.test(name)) throw badRequest('BOT_COMMAND_INVALID');
      if (typeof description !== 'string' || description.length < 1 || description.length > 256) {
        throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
      }
      return { command: name, description };
    });
    api.commands.set(commandKey(params), checked);
    return true;
  },

  getMyCommands: (api, params) => api.commands.get(commandKey(params)) ?? [],

  deleteMyCommands(api, params) {
    api.commands.delete(commandKey(params));
    return true;
  },

  answerCallbackQuery(api, params) {
    const id = params.text('callback_query_id');
    const answer = api.presses.get(id);
    if (answer === undefined) {
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    }
    const text = params.text('text');
    if (text.length > CALLBACK_TEXT_LIMIT) throw badRequest('MESSAGE_TOO_LONG');
    const url = params.text('url');
    if (url !== '' && !url.startsWith(`https://t.me/${api.world.bot.username}?`)) throw badRequest('URL_INVALID');
    api.presses.delete(id);
    answer({
      ...(text !== '' && { text }),
      ...(params.flag('show_alert') && { showAlert: true }),
      ...(url !== '' && { url }),
    });
    return true;
  },
};

function commandKey(params: CallParams): string {
  const scope = (params.json('scope', 'scope') ?? { type: 'default' }) as { type: string; chat_id?: number };
  return commandsKey(
    scope.chat_id === undefined ? scope.type : `${scope.type} ${scope.chat_id}`,
    params.text('language_code'),
  );
}

/** Where commands of a scope (`default`, `chat 5`, …) in a language are kept. */
export function commandsKey(scope: string, language: string): string {
  return `${scope}|${language}`;
}
