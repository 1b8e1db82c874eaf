import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '@dragoman/server/base';
import { fakeLark, type FakeLark, type FakeLarkOptions, type LarkUser } from '@dragoman/testkit';
import { expect, onTestFinished } from 'vitest';
import type { Channel, ChannelState, Chat, Delivery, Receipt } from '../channels/channel.ts';
import type { Heard, PressAnswer } from '../channels/heard.ts';
import type { CardElement } from './cards/card-json.ts';
import type { LarkBody } from './cards/lark-body.ts';
import type { LarkSettings } from './lark-config.ts';
import { openLark, type LarkTimes } from './open-lark.ts';

/** A Lark of one's own, and the bot in it. */
export interface LarkScene {
  lark: FakeLark;
  channel: Channel<LarkBody>;
  heard: Heard[];
  states: ChannelState[];
  /** What the channel logged, as JSON. */
  logged: string[];
  /** What `hear` does; by default it only keeps what was heard. */
  answer: { with: (heard: Heard) => Promise<PressAnswer | undefined> };
  /** The same bot in another process. */
  reopen(): Promise<Channel<LarkBody>>;
}

/** Opens a bot that talks to a fake of Lark through the official SDK. */
export async function larkScene(
  options: { fake?: FakeLarkOptions; settings?: Partial<LarkSettings>; times?: LarkTimes; publicUrl?: string } = {},
): Promise<LarkScene> {
  // The platform's three seconds, and what we make of them, are short on a busy machine.
  const lark = await fakeLark({ answerTimeoutMs: 60_000, ...options.fake });
  onTestFinished(() => lark.close());
  const heard: Heard[] = [];
  const states: ChannelState[] = [];
  const logged: string[] = [];
  const answer: LarkScene['answer'] = { with: async () => undefined };
  const log = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }));
  const settings: LarkSettings = {
    appId: lark.appId,
    appSecret: new Secret(lark.appSecret),
    domain: lark.url,
    receive: 'connection',
    ...options.settings,
  };
  const reopen = async () => {
    const closing = new AbortController();
    const channel = await openLark(
      settings,
      {
        hear: async (what) => {
          heard.push(what);
          return await answer.with(what);
        },
        tell: (state) => void states.push(state),
        publicUrl: options.publicUrl,
        log: { debug: log, info: log, warn: log },
        now: () => lark.now(),
        signal: closing.signal,
      },
      { pressMs: 60_000, ...options.times },
    );
    onTestFinished(async () => {
      await channel.close();
      closing.abort();
    });
    return channel;
  };
  return { lark, channel: await reopen(), heard, states, logged, answer, reopen };
}

/** The same with its long connection up, and a person who uses it. */
export async function connectedScene(
  options: Parameters<typeof larkScene>[0] = {},
): Promise<LarkScene & { ann: LarkUser }> {
  const scene = await larkScene(options);
  await scene.channel.listen();
  await expect.poll(() => scene.states).toEqual([{ type: 'on' }]);
  await scene.lark.until(() => scene.lark.connections() === 1);
  return { ...scene, ann: scene.lark.addUser({ name: 'Ann' }) };
}

/** A Lark that never asks to slow down. */
export const UNLIMITED = {
  perEndpoint: undefined,
  perEndpointMinute: undefined,
  perCard: undefined,
  perChat: undefined,
  perMessage: undefined,
};

/** A private chat. */
export function privateChat(chatId: string): Chat {
  return { chatId, kind: 'private', language: 'en' };
}

/** A card with these elements. */
export function cardBody(
  elements: CardElement[],
  more: Partial<Extract<LarkBody, { type: 'card' }>> = {},
): Extract<LarkBody, { type: 'card' }> {
  return {
    type: 'card',
    card: { schema: '2.0', config: { update_multi: true, width_mode: 'fill' }, body: { elements } },
    summary: 'Done.',
    isStreaming: false,
    ...more,
  };
}

/** A card that streams one text. */
export function streaming(content: string): LarkBody {
  return cardBody([{ tag: 'markdown', element_id: 'answer', content }], { isStreaming: true });
}

/** The same card at its end. */
export function finished(content: string): LarkBody {
  return cardBody([{ tag: 'markdown', element_id: 'answer', content }]);
}

/** A post, delivered again and again like the desk does it. */
export class TestPost {
  readonly #chat: Chat;
  readonly #more: Partial<Delivery<LarkBody>>;
  nonce = randomUUID() as string;
  receipt: Receipt | undefined;
  body: LarkBody | undefined;
  #isUncertain = false;

  constructor(chat: Chat, more: Partial<Delivery<LarkBody>> = {}) {
    this.#chat = chat;
    this.#more = more;
  }

  /** Brings it up to date; what is known afterwards is as after an answer that came. */
  async deliver(channel: Channel<LarkBody>, body: LarkBody): Promise<Receipt> {
    try {
      this.receipt = await channel.deliver({
        chat: this.#chat,
        post: { key: 'part a', body, actions: [], isFinal: false },
        nonce: this.nonce,
        actionData: (index) => `act_1.${index}`,
        before: this.receipt === undefined ? undefined : { receipt: this.receipt, body: this.body },
        uncertain: this.#isUncertain ? { hint: null } : undefined,
        isLast: true,
        replyTo: undefined,
        knownIds: () => Promise.resolve([]),
        readAttachment: () => Promise.reject(new Error('there is no attachment')),
        signal: AbortSignal.timeout(60_000),
        ...this.#more,
      });
    } catch (error) {
      if (this.receipt === undefined && (error as { problem?: { type?: string } }).problem?.type === 'uncertain')
        this.#isUncertain = true;
      throw error;
    }
    this.#isUncertain = false;
    this.body = body;
    return this.receipt;
  }

  /** What a restart leaves: the receipt as it is in the store. */
  restart(isUncertain = false): void {
    this.body = undefined;
    this.receipt = this.receipt === undefined ? undefined : (JSON.parse(JSON.stringify(this.receipt)) as Receipt);
    this.#isUncertain ||= isUncertain;
  }
}

/** An address at which the bot takes webhook calls, as the hub has one. */
export async function webhookDoor(channel: Channel<LarkBody>): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      const answer = await channel.receive({ headers: request.headers, body }).catch(() => ({ status: 500, body: {} }));
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body ?? {}));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/channels/lark`;
}

/** The smallest picture there is. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
