import type { Delivery, Receipt } from '../channels/channel.ts';
import { DeliveryError } from '../channels/delivery-error.ts';
import type { CardJson } from './cards/card-json.ts';
import { fillCard, imagesOf } from './cards/fill-card.ts';
import type { LarkBody } from './cards/lark-body.ts';
import type { CardWriter } from './card-writer.ts';
import type { FoundImages, ImageKeys } from './image-keys.ts';
import type { LarkApi } from './lark-api.ts';
import { codeOf, toDeliveryError } from './lark-call-error.ts';
import { writePress } from './lark-place.ts';
import { WORDS } from './lark-words.ts';
import { LateImages } from './late-images.ts';
import { cardReceipt, type CardState, readReceipt } from './lark-receipt.ts';
import { planChange } from './plan-change.ts';
import { recallMessage, sendMessage } from './send-message.ts';

type CardBody = Extract<LarkBody, { type: 'card' }>;

/** A card that was made for a post. */
interface MadeCard {
  cardId: string;
  body: CardBody;
  at: number;
  images: FoundImages;
  /** There may be a message that shows another card. */
  mayBeOther: boolean;
}

/** Lark closes the streaming mode by itself ten minutes after it was opened. */
const REOPEN_AFTER_MS = 9 * 60_000;
const KEPT = 1000;
/** How long images may take once nothing waits for them. */
const LATE_MS = 2 * 60_000;

/**
 * Brings cards into chats: a card entity first, then a message that shows it, then changes of the entity.
 *
 * While an answer comes in, the card is in streaming mode and mostly only one text grows, which Lark types out. At the end
 * the mode is closed and the summary set, else the chat list says "generating" for good.
 */
export class CardDelivery {
  readonly #api: LarkApi;
  readonly #writer: CardWriter;
  readonly #images: ImageKeys;
  readonly #now: () => number;
  /** Cards whose message may be there or not, by the nonce of the post: another attempt has to show the same card. */
  readonly #made = new Map<string, MadeCard>();
  readonly #late = new LateImages();

  constructor(parts: { api: LarkApi; writer: CardWriter; images: ImageKeys; now: () => number }) {
    this.#api = parts.api;
    this.#writer = parts.writer;
    this.#images = parts.images;
    this.#now = parts.now;
  }

  /** Ends what is planned for cards that are there. */
  close(): void {
    this.#late.close();
  }

  async deliver(delivery: Delivery<LarkBody>, body: CardBody): Promise<Receipt> {
    const before = delivery.before;
    if (before === undefined) return await this.#send(delivery, body);
    const state = readReceipt(before.receipt);
    if (state?.type !== 'card') return await this.#recall(delivery, before.receipt);
    await this.#late.stop(state.card);
    try {
      const there = before.body?.type === 'card' ? before.body : undefined;
      return cardReceipt(before.receipt.messageId, await this.#change(delivery, body, there, state));
    } catch (error) {
      throw toDeliveryError(error, 'change');
    }
  }

  async #send(delivery: Delivery<LarkBody>, body: CardBody): Promise<Receipt> {
    const { nonce, signal } = delivery;
    let made = this.#made.get(nonce);
    try {
      if (made === undefined) {
        const images = await this.#images.get(imagesOf(body.card), {}, delivery);
        const cardId = await this.#writer.make(wireCard(delivery, body, images), signal);
        made = { cardId, body, at: this.#now(), images, mayBeOther: delivery.uncertain !== undefined };
        this.#keep(nonce, made);
      }
    } catch (error) {
      throw toDeliveryError(error, 'make');
    }
    let messageId: string;
    try {
      messageId = await sendMessage(this.#api, {
        chat: delivery.chat,
        type: 'interactive',
        content: { type: 'card', data: { card_id: made.cardId } },
        nonce,
        replyTo: delivery.replyTo,
        signal,
      });
    } catch (error) {
      throw toDeliveryError(error, 'send');
    }
    try {
      const openedAt = made.body.isStreaming ? made.at : null;
      let state: CardState = { card: made.cardId, sequence: 0, openedAt, images: made.images.keys };
      let shown: CardBody | undefined = made.body;
      if (made.mayBeOther) {
        // It may have been sent before, with a card that this process does not know; then Lark gave us that message.
        const cardId = await this.#writer.cardOf(messageId, signal);
        if (cardId !== made.cardId) [state, shown] = [{ ...state, card: cardId }, undefined];
      }
      if (shown === body) this.#planImages(delivery, body, state, made.images);
      else state = await this.#change(delivery, body, shown, state);
      this.#made.delete(nonce);
      return cardReceipt(messageId, state);
    } catch (error) {
      // It is there, but not as it should be; the same nonce finds it again.
      const { problem, message } = toDeliveryError(error, 'change');
      throw new DeliveryError(problem.type === 'later' ? { type: 'uncertain' } : problem, message, { cause: error });
    }
  }

  async #change(
    delivery: Delivery<LarkBody>,
    body: CardBody,
    there: CardBody | undefined,
    { card: cardId, sequence, openedAt: wasOpenedAt, images: known }: CardState,
  ): Promise<CardState> {
    const urls = imagesOf(body.card);
    const images = await this.#images.get(urls, known, delivery);
    const hasNewImages = urls.some((url) => known[url] === undefined && images.keys[url] !== undefined);
    const card = this.#writer.open(cardId, sequence, delivery.signal);
    let openedAt = wasOpenedAt;
    const reopen = async () => {
      // An open mode is closed first: to open it once more does not make it last longer.
      if (openedAt !== null) await card.settings({ streaming_mode: false });
      await card.settings({ streaming_mode: true });
      openedAt = this.#now();
    };
    const whole = () => card.whole(wireCard(delivery, body, images));
    const text = async (elementId: string, content: string) => {
      try {
        await card.text(elementId, content);
      } catch (error) {
        const code = codeOf(error);
        if (code !== undefined && NOT_STREAMING.has(code) && body.isStreaming) {
          await reopen();
          await card.text(elementId, content);
        } else if (code !== undefined && (NOT_STREAMING.has(code) || OTHER_ELEMENTS.has(code))) await whole();
        else throw error;
      }
    };

    if (body.isStreaming && (openedAt === null || this.#now() - openedAt >= REOPEN_AFTER_MS)) await reopen();
    const change = there === undefined || hasNewImages ? { type: 'whole' as const } : planChange(there, body);
    if (change.type === 'text' && openedAt !== null) await text(change.elementId, change.content);
    else if (change.type !== 'none') await whole();
    if (!body.isStreaming && openedAt !== null) {
      await card.settings({ streaming_mode: false, summary: { content: body.summary } });
      openedAt = null;
    }
    const state = { card: cardId, sequence: card.sequence(), openedAt, images: { ...known, ...images.keys } };
    this.#planImages(delivery, body, state, images);
    return state;
  }

  /** The text is there; images that could not be uploaded may be later. */
  #planImages(delivery: Delivery<LarkBody>, body: CardBody, state: CardState, found: FoundImages): void {
    if (found.retryAt === undefined) return;
    let shown = found;
    const work = async (signal: AbortSignal): Promise<number | undefined> => {
      if ((await delivery.mayStill?.()) === false) return undefined;
      const source = { readAttachment: delivery.readAttachment, signal };
      const images = await this.#images.get(imagesOf(body.card), state.images, source, LATE_MS);
      if (JSON.stringify([images.keys, images.problems]) !== JSON.stringify([shown.keys, shown.problems]))
        await this.#writer.open(state.card, state.sequence, signal).whole(wireCard(delivery, body, images));
      shown = images;
      return this.#untilRetry(images);
    };
    this.#late.plan(state.card, this.#untilRetry(found) ?? 0, work, delivery.signal);
  }

  #untilRetry({ retryAt }: FoundImages): number | undefined {
    return retryAt === undefined ? undefined : Math.max(0, retryAt - this.#now());
  }

  /** A file cannot become a card: what was taken out of the session is taken back. */
  async #recall(delivery: Delivery<LarkBody>, receipt: Receipt): Promise<Receipt> {
    try {
      if (receipt.messageId !== undefined) await recallMessage(this.#api, receipt.messageId, delivery.signal);
    } catch (error) {
      throw toDeliveryError(error, 'change');
    }
    return { ...receipt, data: { type: 'recalled' } };
  }

  #keep(nonce: string, made: MadeCard): void {
    this.#made.set(nonce, made);
    const oldest = this.#made.size > KEPT ? this.#made.keys().next().value : undefined;
    if (oldest !== undefined) this.#made.delete(oldest);
  }
}

/** The card as Lark gets it. */
function wireCard(delivery: Delivery<LarkBody>, body: CardBody, { keys, problems }: FoundImages): CardJson {
  const words = WORDS[delivery.chat.language].imageProblems;
  const card = fillCard(body.card, {
    actionData: (index) => writePress(delivery.actionData(index), delivery.chat),
    imageKey: (url) => keys[url],
    imageProblem: (url) => (problems[url] === undefined ? undefined : words[problems[url]]),
  });
  return {
    ...card,
    config: {
      ...card.config,
      update_multi: true,
      streaming_mode: body.isStreaming,
      ...(body.isStreaming ? { streaming_config: TYPING } : { summary: { content: body.summary } }),
    },
  };
}

/** What comes in within one pace is typed by the time the next one comes. */
const TYPING = { print_frequency_ms: { default: 50 }, print_step: { default: 4 }, print_strategy: 'fast' };

/** The streaming mode was closed, by us or because its time was over. */
const NOT_STREAMING = new Set([300309, 200850]);
/** The card does not have the elements that we think it has. */
const OTHER_ELEMENTS = new Set([300313, 300301, 300310, 300312, 300314, 300315, 300121]);
