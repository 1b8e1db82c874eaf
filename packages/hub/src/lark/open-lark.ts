import type { Channel, ChannelHost, Delivery, Receipt, WebhookAnswer } from '../channels/channel.ts';
import { CardDelivery } from './card-delivery.ts';
import { larkRenderer } from './cards/card-renderer.ts';
import type { LarkBody } from './cards/lark-body.ts';
import { CardWriter } from './card-writer.ts';
import { checkLark, missingKeys } from './check-lark.ts';
import { deliverFile } from './deliver-file.ts';
import { EventHearing } from './event-hearing.ts';
import { ImageKeys } from './image-keys.ts';
import { larkApi } from './lark-api.ts';
import { toDeliveryError } from './lark-call-error.ts';
import type { LarkSettings } from './lark-config.ts';
import { LarkState } from './lark-state.ts';
import { LarkPeople } from './lark-people.ts';
import { LongConnection } from './long-connection.ts';
import { receiveWebhook } from './receive-webhook.ts';
import { WebhookTrust } from './webhook-trust.ts';

/** One and a half changes a second: what a client shows of a card that is streamed, and far below Lark's limits. */
const PACE_MS = 800;
const RETRY_MS = 30_000;

/** Times that a test shortens. */
export interface LarkTimes {
  /** After how long a press is answered before its work is done. */
  pressMs?: number;
  /** How long Lark may take to answer a call. */
  answerMs?: number;
  /** After how long a refused long connection is tried again. */
  retryMs?: number;
  /** After how long an image is uploaded again. */
  imageMs?: readonly number[];
}

/** Opens the bot: everything is made, and nothing is asked of Lark yet. */
export async function openLark(
  settings: LarkSettings,
  host: ChannelHost,
  times: LarkTimes = {},
): Promise<Channel<LarkBody>> {
  const sdk = await import('@larksuiteoapi/node-sdk');
  const closing = new AbortController();
  const signal = AbortSignal.any([host.signal, closing.signal]);
  const state = new LarkState((told) => host.tell(told));
  const api = larkApi(sdk, settings, { log: host.log, signal, answerMs: times.answerMs, state });
  const people = new LarkPeople(api, () => host.now());
  const images = new ImageKeys(api, { now: () => host.now(), retryMs: times.imageMs });
  const cards = new CardDelivery({ api, writer: new CardWriter(api), images, now: () => host.now() });
  const hearing = new EventHearing({
    host,
    api,
    people,
    ...(times.pressMs === undefined ? {} : { pressMs: times.pressMs }),
  });
  let connection: LongConnection | undefined;
  let asking: Promise<unknown> | undefined;
  const trust = new WebhookTrust({ now: () => host.now(), log: host.log });

  return {
    renderer: larkRenderer,
    paceMs: () => PACE_MS,

    async deliver(delivery: Delivery<LarkBody>): Promise<Receipt> {
      const { body } = delivery.post;
      return body.type === 'card' ? cards.deliver(delivery, body) : deliverFile(api, delivery, body);
    },

    async listen() {
      if (settings.receive === 'connection') {
        if (!APP_ID.test(settings.appId)) {
          state.tell({
            type: 'failed',
            reason: `"${settings.appId}" is not an App ID, which is "cli_" followed by 16 digits or letters a to f. Copy it from "Credentials & Basic Info".`,
          });
          return;
        }
        connection = new LongConnection({
          sdk,
          settings,
          domain: api.domain,
          hearing,
          host: { log: host.log, tell: (told) => state.tell(told) },
          ...times,
        });
        connection.start();
        people.askBot(signal).catch(() => undefined); // Asked again with the first message.
        return;
      }
      const missing = missingKeys(settings);
      if (missing.length > 0 || host.publicUrl === undefined) {
        const names = [...missing, ...(host.publicUrl === undefined ? ['server.publicUrl'] : [])].join(', ');
        state.tell({
          type: 'failed',
          reason: `Missing for Lark webhooks: ${names}. Set it, or choose the long connection.`,
        });
        return;
      }
      await greet();
    },

    async receive(request): Promise<WebhookAnswer> {
      const { encryptKey, verificationToken } = settings;
      if (encryptKey === undefined || verificationToken === undefined) {
        trust.refuse(`Not configured: ${missingKeys(settings).join(' and ')}.`, { looksLikeLark: false });
        return { status: 401 };
      }
      return await receiveWebhook(
        request,
        { encryptKey: encryptKey.reveal(), verificationToken: verificationToken.reveal() },
        { hearing, now: () => host.now(), trust },
      );
    },

    bot() {
      const name = people.knownBot?.name;
      // In a process that does not listen, the first who asks makes it known to the next.
      if (name === undefined) asking ??= people.askBot(signal).catch(() => (asking = undefined));
      const link = linkOf(settings);
      return name === undefined ? undefined : { name, ...(link === undefined ? {} : { link }) };
    },

    expectSetup: () => trust.expectSetup(),

    check(language) {
      const { lastHeardAt } = hearing;
      return checkLark(
        { settings, api, people, host, connection, lastHeardAt, unverified: trust.unverified },
        language,
      );
    },

    async close() {
      connection?.close();
      cards.close();
      closing.abort();
    },
  };

  /** A webhook has no connection whose state could be told: whether Lark knows the app says it instead. */
  async function greet(): Promise<void> {
    try {
      await people.askBot(signal);
      state.tell({ type: 'on' });
    } catch (error) {
      if (signal.aborted) return;
      const { problem, message } = toDeliveryError(error, 'change');
      state.tell(
        problem.type === 'revoked' ? { type: 'failed', reason: message } : { type: 'trouble', reason: message },
      );
      const timer = setTimeout(() => void greet(), times.retryMs ?? RETRY_MS);
      timer.unref();
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }
  }
}

/** The SDK connects with no other, and only logs that it does not. */
const APP_ID = /^cli_[0-9a-fA-F]{16}$/u;

/** Opens the chat with the bot in the app of the person. */
function linkOf({ appId, domain }: LarkSettings): string | undefined {
  if (domain === 'feishu') return `https://applink.feishu.cn/client/bot/open?appId=${encodeURIComponent(appId)}`;
  if (domain === 'lark') return `https://applink.larksuite.com/client/bot/open?appId=${encodeURIComponent(appId)}`;
  return undefined;
}
