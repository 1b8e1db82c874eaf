import type { TelegramUpdate } from './telegram-wire.ts';

/** A webhook that is set. */
export interface WebhookState {
  url: string;
  secret: string;
  maxConnections: number;
  lastError?: { date: number; message: string };
}

/** Where updates come from, and what is done with one that got through. */
export interface WebhookCallerOptions {
  now: () => number;
  reach: (url: string) => string;
  webhookRetryMs: number;
  changed: () => void;
  take: () => TelegramUpdate | undefined;
  done: () => void;
}

const CALL_LIMIT_MS = 60_000;

/** Brings updates to the bot's own address, one after the other, each until the bot said 2xx. */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions;
  #state: WebhookState | undefined;
  #stop = new AbortController();
  #isRunning = false;

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
  }

  get state(): WebhookState | undefined {
    return this.#state;
  }

  set(state: WebhookState | undefined): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#state = state;
    this.#isRunning = false;
  }

  wake(): void {
    if (this.#isRunning || this.#state === undefined) return;
    this.#isRunning = true;
    void this.#run(this.#state, this.#stop.signal);
  }

  async #run(state: WebhookState, signal: AbortSignal): Promise<void> {
    for (let update = this.#options.take(); update !== undefined; update = this.#options.take()) {
      const problem = await this.#call(state, update, signal);
      if (signal.aborted) return;
      if (problem === undefined) {
        this.#options.done();
      } else {
        state.lastError = { date: Math.floor(this.#options.now() / 1000), message: problem };
        await pause(this.#options.webhookRetryMs, signal);
        if (signal.aborted) return;
      }
      this.#options.changed();
    }
    this.#isRunning = false;
  }

  /** What went wrong, in Telegram's words. */
  async #call(state: WebhookState, update: TelegramUpdate, signal: AbortSignal): Promise<string | undefined> {
    try {
      const answer = await fetch(this.#options.reach(state.url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(state.secret !== '' && { 'x-telegram-bot-api-secret-token': state.secret }),
        },
        body: JSON.stringify(update),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_LIMIT_MS)]),
      });
      await answer.arrayBuffer();
      if (answer.ok) return undefined;
      return `Wrong response from the webhook: ${answer.status} ${answer.statusText}`.trimEnd();
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return 'Read timeout expired';
      const code = (error as { cause?: { code?: string } }).cause?.code;
      return code === 'ECONNREFUSED' ? 'Connection refused' : 'Connection reset by peer';
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
