import { Client, EventDispatcher, LoggerLevel, WSClient } from '@larksuiteoapi/node-sdk';
import { onTestFinished } from 'vitest';
import { type FakeLark, fakeLark, type FakeLarkOptions } from './fake-lark.ts';
import type { LarkUser } from './lark-state.ts';

const nothing = (): void => {};
const logger = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing };
const quiet = { loggerLevel: LoggerLevel.fatal, logger };

/** A Lark with one person, and the official SDK as it is published. */
export async function openLark(
  options: FakeLarkOptions = {},
): Promise<{ lark: FakeLark; client: Client; ann: LarkUser }> {
  const lark = await fakeLark(options);
  onTestFinished(() => lark.close());
  return { lark, client: openClient(lark), ann: lark.addUser({ name: 'Ann' }) };
}

/** One more client of that Lark, with tokens of its own. */
export function openClient(lark: Pick<FakeLark, 'appId' | 'appSecret' | 'url'>): Client {
  const tokens = new Map<unknown, unknown>();
  const cache = {
    get: (key: unknown) => Promise.resolve(tokens.get(key)),
    set: (key: unknown, value: unknown) => Promise.resolve(tokens.set(key, value) === tokens),
  };
  return new Client({ appId: lark.appId, appSecret: lark.appSecret, domain: lark.url, cache, ...quiet });
}

/** The SDK's own reader of events, with what is to be done about each kind. */
export function openDispatcher(
  lark: FakeLark,
  handles: Record<string, (data: Record<string, unknown>) => unknown>,
): EventDispatcher {
  const { encryptKey, verificationToken } = lark;
  const dispatcher = new EventDispatcher({
    verificationToken,
    ...quiet,
    ...(encryptKey === undefined ? {} : { encryptKey }),
  });
  return dispatcher.register(handles);
}

/** Opens the SDK's long connection and waits until it stands. */
export async function listen(
  lark: FakeLark,
  handles: Record<string, (data: Record<string, unknown>) => unknown>,
): Promise<WSClient> {
  const socket = new WSClient({ appId: lark.appId, appSecret: lark.appSecret, domain: lark.url, ...quiet });
  onTestFinished(() => socket.close({ force: true }));
  await socket.start({ eventDispatcher: openDispatcher(lark, handles) });
  await lark.until(() => lark.connections() > 0);
  return socket;
}

/** What the platform says to a call that it refuses: HTTP status and code. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    const { response, message } = error as { response?: { status: number; data: { code: number } }; message: string };
    return response === undefined ? message : `${response.status} ${response.data.code}`;
  }
}

/** A card with one text, open for streaming unless it is said otherwise. */
export function textCard(
  content: string,
  config: Record<string, unknown> = { streaming_mode: true },
): Record<string, unknown> {
  return {
    schema: '2.0',
    config: { update_multi: true, ...config },
    body: { elements: [{ tag: 'markdown', element_id: 'answer', content }] },
  };
}

/** Makes a card and sends it to a person. */
export async function sendCard(
  client: Client,
  user: LarkUser,
  card: Record<string, unknown>,
): Promise<{ cardId: string; messageId: string }> {
  const made = await client.cardkit.v1.card.create({ data: { type: 'card_json', data: JSON.stringify(card) } });
  const cardId = made.data!.card_id;
  const content = JSON.stringify({ type: 'card', data: { card_id: cardId } });
  const sent = await client.im.v1.message.create({
    params: { receive_id_type: 'open_id' },
    data: { receive_id: user.openId, msg_type: 'interactive', content },
  });
  return { cardId, messageId: sent.data!.message_id! };
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
