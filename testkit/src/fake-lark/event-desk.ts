import { randomUUID } from 'node:crypto';
import type { ConnectionPool } from './connection-pool.ts';
import { parseJson } from './json-object.ts';
import { hex } from './hex.ts';
import type { LarkState } from './lark-state.ts';
import { signWebhook } from './sign-webhook.ts';

/** An event or callback that was sent, and how that went. */
export interface EventDelivery {
  eventId: string;
  type: string;
  attempts: number;
  isAcknowledged: boolean;
  /** What became of the last attempt, for people. */
  outcome: string;
  /** As it was sent. */
  event: unknown;
  /** When it is tried again; not at all for callbacks and after the last time. */
  nextAt: number | undefined;
}

/** What came back for an event. */
export interface EventAnswer {
  isAcknowledged: boolean;
  /** The platform's code for why not. */
  code: number;
  body: unknown;
}

/** After 15 s, 5 min, 1 h and 6 h. */
const AGAIN_MS = [15_000, 300_000, 3_600_000, 21_600_000];

/** Sends events to the bot: over the long connection or to its webhook, again until it says that it has them. */
export class EventDesk {
  readonly deliveries: EventDelivery[] = [];
  readonly #state: LarkState;
  readonly #pool: ConnectionPool;
  readonly #timeoutMs: number;
  readonly #stop: () => void;
  readonly #waiting = new Set<EventDelivery>();
  readonly #end = new AbortController();
  #webhook: string | undefined;

  constructor(state: LarkState, pool: ConnectionPool, timeoutMs: number) {
    this.#state = state;
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.#stop = state.watch(() => this.#sendDue());
  }

  useWebhook(url: string | undefined): void {
    this.#webhook = url;
  }

  /** Tells the bot of something; it is told again later if it did not take it. */
  async tell(type: string, event: Record<string, unknown>): Promise<EventAnswer> {
    const delivery = this.#enter(type, event);
    const answer = await this.#attempt(delivery);
    this.#schedule(delivery);
    return answer;
  }

  /** Asks the bot something; if it does not answer, that was it. */
  ask(type: string, event: Record<string, unknown>): Promise<EventAnswer> {
    return this.#attempt(this.#enter(type, event));
  }

  async redeliver(eventId?: string): Promise<void> {
    const again = this.deliveries.filter((delivery) =>
      eventId === undefined
        ? !delivery.isAcknowledged && delivery.type !== 'card.action.trigger'
        : delivery.eventId === eventId,
    );
    if (eventId !== undefined && again.length === 0) throw new Error(`there was no event ${eventId}`);
    for (const delivery of again) await this.#attempt(delivery);
  }

  /** The challenge carries no signature: its proof is that only the platform knows token and key. */
  async verifyWebhook(): Promise<boolean> {
    const challenge = randomUUID();
    const event = { challenge, token: this.#state.verificationToken, type: 'url_verification' };
    const { body } = signWebhook(event, this.#state.encryptKey, this.#state.now());
    const answer = await this.#post({ body, headers: { 'content-type': 'application/json' } });
    return answer.isAcknowledged && (answer.body as { challenge?: unknown } | undefined)?.challenge === challenge;
  }

  close(): void {
    this.#stop();
    this.#waiting.clear();
    this.#end.abort();
  }

  #enter(type: string, event: Record<string, unknown>): EventDelivery {
    const eventId = hex(16);
    const header = {
      event_id: eventId,
      token: this.#state.verificationToken,
      create_time: String(this.#state.now()),
      event_type: type,
      tenant_key: this.#state.tenantKey,
      app_id: this.#state.appId,
    };
    const delivery: EventDelivery = {
      eventId,
      type,
      attempts: 0,
      isAcknowledged: false,
      outcome: 'not sent yet',
      event: { schema: '2.0', header, event },
      nextAt: undefined,
    };
    this.deliveries.push(delivery);
    return delivery;
  }

  async #attempt(delivery: EventDelivery): Promise<EventAnswer> {
    delivery.attempts += 1;
    delivery.nextAt = undefined;
    this.#waiting.delete(delivery);
    const answer = await this.#send(delivery.event);
    delivery.isAcknowledged ||= answer.isAcknowledged;
    delivery.outcome = answer.isAcknowledged ? 'acknowledged' : `failed with ${answer.code}`;
    this.#state.changed();
    return answer;
  }

  #schedule(delivery: EventDelivery): void {
    const wait = AGAIN_MS[delivery.attempts - 1];
    if (delivery.isAcknowledged || wait === undefined) return;
    delivery.nextAt = this.#state.now() + wait;
    this.#waiting.add(delivery);
  }

  #sendDue(): void {
    const now = this.#state.now();
    for (const delivery of this.#waiting) {
      if (delivery.nextAt === undefined || delivery.nextAt > now) continue;
      void this.#attempt(delivery).then(() => this.#schedule(delivery));
    }
  }

  async #send(event: unknown): Promise<EventAnswer> {
    if (this.#webhook !== undefined) return this.#post(signWebhook(event, this.#state.encryptKey, this.#state.now()));
    if (this.#pool.size === 0) return { isAcknowledged: false, code: 200340, body: undefined };
    const answer = await this.#pool.deliver(JSON.stringify(event), this.#timeoutMs);
    return {
      isAcknowledged: answer?.code === 200,
      code: answer === undefined ? 200341 : answer.code === 200 ? 0 : 200671,
      body: answer?.body,
    };
  }

  async #post({ body, headers }: { body: string; headers: Record<string, string> }): Promise<EventAnswer> {
    if (this.#webhook === undefined) return { isAcknowledged: false, code: 200340, body: undefined };
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      const response = await fetch(this.#webhook, { method: 'POST', headers, body, signal });
      const text = await response.text();
      const isAcknowledged = response.status === 200;
      return { isAcknowledged, code: isAcknowledged ? 0 : 200671, body: parseJson(text) };
    } catch {
      return { isAcknowledged: false, code: 200341, body: undefined };
    }
  }
}
