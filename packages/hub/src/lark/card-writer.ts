import { randomUUID } from 'node:crypto';
import type { CardJson } from './cards/card-json.ts';
import type { LarkApi } from './lark-api.ts';
import { codeOf } from './lark-call-error.ts';

const KEPT = 5000;
/** Further than any process can have come without keeping it. */
const AHEAD = 1000;

/**
 * Writes to card entities, each change with a higher number than the one before.
 *
 * The number in the store is that of the last change that was answered. One whose answer was lost has used a higher one,
 * so this process remembers what it used, and after a restart goes on well above what was stored.
 */
export class CardWriter {
  readonly #api: LarkApi;
  readonly #sequences = new Map<string, number>();

  constructor(api: LarkApi) {
    this.#api = api;
  }

  /** Makes a card entity that nobody sees yet, and gives its id. */
  async make(card: CardJson, signal: AbortSignal): Promise<string> {
    const { data } = await this.#api.call({
      method: 'POST',
      path: 'cardkit/v1/cards',
      body: { type: 'card_json', data: JSON.stringify(card) },
      signal,
    });
    const cardId = String(data?.['card_id']);
    this.#used(cardId, 0);
    return cardId;
  }

  /** The card entity that a message shows. */
  async cardOf(messageId: string, signal: AbortSignal): Promise<string> {
    const { data } = await this.#api.call({
      method: 'POST',
      path: 'cardkit/v1/cards/id_convert',
      body: { message_id: messageId },
      signal,
    });
    return String(data?.['card_id']);
  }

  /** What can be done with a card whose last stored number is this. */
  open(cardId: string, stored: number, signal: AbortSignal) {
    if (!this.#sequences.has(cardId)) this.#used(cardId, stored + AHEAD);
    const path = `cardkit/v1/cards/${encodeURIComponent(cardId)}`;
    const write = (method: 'PUT' | 'PATCH', below: string, body: object) =>
      this.#write(cardId, { method, path: path + below, body, signal });
    return {
      /** The text of one element, all of it: what is new at its end is typed. */
      text: (elementId: string, content: string) =>
        write('PUT', `/elements/${encodeURIComponent(elementId)}/content`, { content }),
      whole: (card: CardJson) => write('PUT', '', { card: { type: 'card_json', data: JSON.stringify(card) } }),
      settings: (config: Partial<CardJson['config']>) =>
        write('PATCH', '/settings', { settings: JSON.stringify({ config }) }),
      /** The highest number that was used. */
      sequence: () => this.#sequences.get(cardId) ?? stored,
    };
  }

  async #write(
    cardId: string,
    request: { method: 'PUT' | 'PATCH'; path: string; body: object; signal: AbortSignal },
  ): Promise<void> {
    for (let leap = AHEAD; ; leap *= 100) {
      const sequence = (this.#sequences.get(cardId) ?? 0) + 1;
      this.#used(cardId, sequence);
      try {
        await this.#api.call({ ...request, body: { ...request.body, sequence, uuid: randomUUID() } });
        return;
      } catch (error) {
        if (codeOf(error) !== WRONG_ORDER || leap > 10_000_000) throw error;
        this.#used(cardId, sequence + leap);
      }
    }
  }

  #used(cardId: string, sequence: number): void {
    this.#sequences.delete(cardId);
    this.#sequences.set(cardId, sequence);
    const oldest = this.#sequences.size > KEPT ? this.#sequences.keys().next().value : undefined;
    if (oldest !== undefined) this.#sequences.delete(oldest);
  }
}

/** Another change had this number or a higher one. */
const WRONG_ORDER = 300317;
