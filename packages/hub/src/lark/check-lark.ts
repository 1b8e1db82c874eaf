import type { ChannelHost, Language, SetupStep } from '../channels/channel.ts';
import type { LarkApi } from './lark-api.ts';
import { codeOf, LarkCallError } from './lark-call-error.ts';
import type { LarkSettings } from './lark-config.ts';
import { SCOPES, webhookUrl } from './lark-guide.ts';
import type { LarkPeople } from './lark-people.ts';
import { type LarkWords, WORDS } from './lark-words.ts';

/** What the set-up is checked with. */
export interface CheckParts {
  settings: LarkSettings;
  api: LarkApi;
  people: LarkPeople;
  host: Pick<ChannelHost, 'publicUrl' | 'now'>;
  /** How it is with the long connection of this process; nothing where another one holds it. */
  connection: { isUp: boolean } | undefined;
  /** When something last came to this process. */
  lastHeardAt: number | undefined;
  /** Webhook calls that look like Lark's and could not be verified, since the last one that could. */
  unverified: { count: number; reason: string } | undefined;
}

/** Everything that has to be right before the bot works, asked of Lark itself. */
export async function checkLark(parts: CheckParts, language: Language): Promise<SetupStep[]> {
  const words = WORDS[language];
  const credentials = await checkCredentials(parts, words);
  const isIn = credentials.state === 'ok';
  const unasked = (id: string, title: string): SetupStep => ({ id, title, state: 'unknown', text: credentials.text });
  return [
    credentials,
    isIn ? await checkBot(parts, words) : unasked('bot', words.bot),
    isIn ? await checkScopes(parts, words) : unasked('scopes', words.scopes),
    isIn ? await checkCards(parts, words) : unasked('cards', words.cards),
    ...(parts.settings.receive === 'webhook' ? checkWebhook(parts, words) : [checkConnection(parts, words)]),
  ];
}

async function checkCredentials({ api, settings }: CheckParts, words: LarkWords): Promise<SetupStep> {
  const step = { id: 'credentials', title: words.credentials };
  try {
    await api.renewToken();
    return { ...step, state: 'ok', text: words.credentialsOk(settings.appId) };
  } catch (error) {
    return failed(step, error, words, words.credentialsFix);
  }
}

async function checkBot({ people }: CheckParts, words: LarkWords): Promise<SetupStep> {
  const step = { id: 'bot', title: words.bot };
  try {
    const bot = await people.askBot();
    return bot.isActive && bot.openId !== ''
      ? { ...step, state: 'ok', text: words.botOk(bot.name) }
      : { ...step, state: 'missing', text: words.botOff, fix: words.botFix };
  } catch (error) {
    return failed(step, error, words, words.botFix);
  }
}

async function checkScopes({ api }: CheckParts, words: LarkWords): Promise<SetupStep> {
  const step = { id: 'scopes', title: words.scopes };
  let granted: Set<string>;
  try {
    const { data } = await api.call({ method: 'GET', path: 'application/v6/scopes' });
    const scopes = Array.isArray(data?.['scopes'])
      ? (data['scopes'] as { scope_name?: unknown; grant_status?: unknown }[])
      : [];
    granted = new Set(
      scopes.filter(({ grant_status }) => grant_status === 1).map(({ scope_name }) => String(scope_name)),
    );
  } catch (error) {
    const isRefused = error instanceof LarkCallError && error.code !== undefined;
    return isRefused
      ? { ...step, state: 'unknown', text: words.scopesUnknown, fix: words.scopesFix }
      : failed(step, error, words, words.scopesFix);
  }
  const missing = SCOPES.filter((scope) => !granted.has(scope) && !granted.has(scope.replace(/:readonly$/u, '')));
  return missing.length === 0
    ? { ...step, state: 'ok', text: words.scopesOk }
    : { ...step, state: 'missing', text: words.scopesMissing(missing.join(', ')), fix: words.scopesFix };
}

/** A card that is made and never sent is seen by nobody, and gone after 14 days. */
async function checkCards({ api }: CheckParts, words: LarkWords): Promise<SetupStep> {
  const step = { id: 'cards', title: words.cards };
  const card = {
    schema: '2.0',
    config: { update_multi: true },
    body: { elements: [{ tag: 'markdown', content: '✓' }] },
  };
  try {
    await api.call({
      method: 'POST',
      path: 'cardkit/v1/cards',
      body: { type: 'card_json', data: JSON.stringify(card) },
    });
    return { ...step, state: 'ok', text: words.cardsOk };
  } catch (error) {
    return failed(step, error, words, words.cardsFix);
  }
}

function checkConnection({ connection, lastHeardAt, host }: CheckParts, words: LarkWords): SetupStep {
  const step = { id: 'events', title: words.events };
  const fix = words.connectionFix;
  if (connection === undefined) return { ...step, state: 'unknown', text: words.connectionElsewhere, fix };
  if (!connection.isUp) return { ...step, state: 'missing', text: words.connectionDown, fix };
  if (lastHeardAt === undefined) return { ...step, state: 'ok', text: words.connectionSilent, fix };
  return { ...step, state: 'ok', text: words.connectionUp(minutesSince(lastHeardAt, host)) };
}

function checkWebhook({ settings, host, lastHeardAt, unverified }: CheckParts, words: LarkWords): SetupStep[] {
  const url = host.publicUrl === undefined ? undefined : webhookUrl(host.publicUrl);
  const missing = missingKeys(settings);
  const address: SetupStep =
    url === undefined
      ? { id: 'address', title: words.address, state: 'missing', text: words.addressMissing, fix: words.addressFix }
      : { id: 'address', title: words.address, state: 'ok', text: words.addressOk(url) };
  const keys: SetupStep =
    missing.length === 0
      ? { id: 'keys', title: words.keys, state: 'ok', text: words.keysOk }
      : {
          id: 'keys',
          title: words.keys,
          state: 'missing',
          text: words.keysMissing(missing.join(', ')),
          fix: words.keysFix,
        };
  const events = { id: 'events', title: words.events, fix: words.webhookFix(url ?? '…/channels/lark') };
  const hint = unverified === undefined ? '' : ` ${words.webhookUnverified(unverified.count)} ${unverified.reason}`;
  if (lastHeardAt === undefined)
    return [
      address,
      keys,
      { ...events, state: unverified === undefined ? 'unknown' : 'wrong', text: words.webhookNever + hint },
    ];
  // Anybody can call, so while events come in what could not be verified says nothing about the set-up.
  const text = words.webhookHeard(minutesSince(lastHeardAt, host)) + hint;
  const isQuiet = unverified !== undefined && host.now() - lastHeardAt > QUIET_MS;
  return [
    address,
    keys,
    isQuiet ? { ...events, state: 'unknown', text } : { id: 'events', title: words.events, state: 'ok', text },
  ];
}

/** After so long without an event, calls that cannot be verified may well be Lark's. */
const QUIET_MS = 60 * 60_000;

function minutesSince(at: number, { now }: Pick<ChannelHost, 'now'>): number {
  return Math.max(0, Math.round((now() - at) / 60_000));
}

/** What a webhook needs and is not configured. */
export function missingKeys(settings: LarkSettings): string[] {
  return [
    ...(settings.encryptKey === undefined ? ['Encrypt Key'] : []),
    ...(settings.verificationToken === undefined ? ['Verification Token'] : []),
  ];
}

function failed(step: Pick<SetupStep, 'id' | 'title'>, error: unknown, words: LarkWords, fix: string): SetupStep {
  const reason = error instanceof Error ? error.message : '';
  return codeOf(error) === undefined
    ? { ...step, state: 'unknown', text: words.unreachable(reason) }
    : { ...step, state: 'wrong', text: reason, fix };
}
