import type { UserFromGetMe } from 'grammy/types';
import type { Language, SetupStep } from '../channels/channel.ts';
import { SETUP_WORDS } from './setup-words.ts';
import { type TelegramApi, toDeliveryError } from './telegram-api.ts';
import { webhookUrl } from './telegram-webhook.ts';

/** What is looked at. */
interface CheckedBot {
  api: TelegramApi;
  receive: 'polling' | 'webhook';
  publicUrl: string | undefined;
  signal: AbortSignal;
}

/** How long ago a failed delivery of Telegram still says something. */
const RECENT_SECONDS = 600;

/** Looks at each thing a bot needs, and says what to do about what is missing. */
export async function checkTelegram(bot: CheckedBot, language: Language): Promise<SetupStep[]> {
  const words = SETUP_WORDS[language].check;
  let me: UserFromGetMe;
  try {
    me = await bot.api.call('getMe', {}, bot.signal);
  } catch (error) {
    const { problem, message } = toDeliveryError(error, true);
    const step = { id: 'token', title: words.token };
    return problem.type === 'revoked'
      ? [{ ...step, state: 'wrong', text: words.tokenWrong, fix: words.tokenFix }]
      : [{ ...step, state: 'unknown', text: words.unreachable(message), fix: words.unreachableFix }];
  }
  return [
    { id: 'token', title: words.token, state: 'ok', text: words.tokenOk(`@${me.username}`) },
    ...(bot.receive === 'webhook' ? [addressStep(bot, language)] : []),
    await receiveStep(bot, language),
    groupsStep(me, language),
    topicsStep(me, language),
  ];
}

function addressStep({ publicUrl }: CheckedBot, language: Language): SetupStep {
  const words = SETUP_WORDS[language].check;
  const step = { id: 'address', title: words.address };
  if (publicUrl?.startsWith('https://') === true)
    return { ...step, state: 'ok', text: words.addressOk(webhookUrl(publicUrl)) };
  return { ...step, state: 'missing', text: words.addressMissing, fix: words.addressFix };
}

async function receiveStep({ api, receive, publicUrl, signal }: CheckedBot, language: Language): Promise<SetupStep> {
  const words = SETUP_WORDS[language].check;
  const step = { id: 'receive', title: words.receive };
  try {
    const info = await api.call('getWebhookInfo', {}, signal);
    const {
      url = '',
      pending_update_count: pending,
      last_error_date: failedAt = 0,
      last_error_message: message = '',
    } = info;
    if (receive === 'polling') {
      if (url === '') return { ...step, state: 'ok', text: words.pollingOk(pending) };
      return { ...step, state: 'wrong', text: words.webhookSet(hostOf(url)), fix: words.webhookSetFix };
    }
    if (publicUrl === undefined || url !== webhookUrl(publicUrl))
      return { ...step, state: 'missing', text: words.webhookMissing, fix: words.webhookMissingFix };
    if (message !== '' && (pending > 0 || Date.now() / 1000 - failedAt < RECENT_SECONDS))
      return { ...step, state: 'wrong', text: words.webhookError(message), fix: words.webhookErrorFix };
    return { ...step, state: 'ok', text: words.webhookOk(pending) };
  } catch (error) {
    const { message } = toDeliveryError(error, true);
    return { ...step, state: 'unknown', text: words.unreachable(message), fix: words.unreachableFix };
  }
}

/** Addresses of other programs may hold secrets of theirs. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '…';
}

function groupsStep(me: UserFromGetMe, language: Language): SetupStep {
  const words = SETUP_WORDS[language].check;
  const step = { id: 'groups', title: words.groups, state: 'ok' as const };
  if (!me.can_join_groups) return { ...step, text: words.groupsNo, fix: words.groupsNoFix };
  if (me.can_read_all_group_messages) return { ...step, text: words.groupsAll };
  return { ...step, text: words.groupsPrivacy, fix: words.groupsPrivacyFix };
}

function topicsStep(me: UserFromGetMe, language: Language): SetupStep {
  const words = SETUP_WORDS[language].check;
  const step = { id: 'topics', title: words.topics, state: 'ok' as const };
  if (me.has_topics_enabled) return { ...step, text: words.topicsOn };
  return { ...step, text: words.topicsOff, fix: words.topicsFix };
}
