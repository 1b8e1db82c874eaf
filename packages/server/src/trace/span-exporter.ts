import { toOtlpJson } from './otlp-json.ts';
import type { AttributeValue, Span } from './span.ts';

/** Spans wait this long for company. */
const GATHER_MS = 2_000;
const MOST_WAITING = 4_096;
const MOST_SENT = 512;
const SEND_MS = 10_000;
/** How often it is told that spans are lost. */
const TELL_MS = 60_000;
/** The collector is busy or away, and may take the same later. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface SpanExporterOptions {
  /** Where the collector takes traces. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Who we are, as OpenTelemetry's resource. */
  resource: Readonly<Record<string, AttributeValue>>;
  /** Is told what is wrong with the collector, now and then. */
  onTrouble: (message: string) => void;
}

/**
 * Sends spans to a collector, some at a time, and never makes anybody wait: what a collector does not take in time is
 * dropped, the oldest first, and counted.
 */
export class SpanExporter {
  readonly #options: SpanExporterOptions;
  #waiting: Span[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #isSending = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpanExporterOptions) {
    this.#options = options;
  }

  /** Spans that nobody will see. */
  get dropped(): number {
    return this.#dropped;
  }

  readonly add = (span: Span): void => {
    this.#waiting.push(span);
    if (this.#waiting.length > MOST_WAITING)
      this.#drop(this.#waiting.splice(0, MOST_SENT).length, 'they came too fast');
    this.#timer ??= setTimeout(() => void this.#sendAll(), GATHER_MS).unref();
    if (this.#waiting.length >= MOST_SENT) void this.#sendAll();
  };

  /** Sends what waits, once, and gives up what is not taken. */
  async close(): Promise<void> {
    await this.#sending;
    await this.#sendAll();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#drop(this.#waiting.splice(0).length, 'the server stops');
  }

  #sendAll(): Promise<unknown> {
    if (this.#isSending) return this.#sending;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isSending = true;
    this.#sending = this.#sendBatches().finally(() => {
      this.#isSending = false;
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#sendAll(), GATHER_MS).unref();
    });
    return this.#sending;
  }

  async #sendBatches(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_SENT);
      const problem = await this.#send(batch);
      if (problem === undefined) continue;
      if (!problem.mayPass) {
        this.#drop(batch.length, problem.reason);
        continue;
      }
      this.#tell(`The collector does not accept traces: ${problem.reason}.`);
      const room = MOST_WAITING - this.#waiting.length;
      if (room < batch.length) this.#drop(batch.splice(0, batch.length - Math.max(0, room)).length, problem.reason);
      this.#waiting.unshift(...batch);
      return;
    }
  }

  async #send(spans: readonly Span[]): Promise<{ reason: string; mayPass: boolean } | undefined> {
    const { url, headers, resource } = this.#options;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: toOtlpJson(spans, resource),
        signal: AbortSignal.timeout(SEND_MS),
        redirect: 'error',
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : { reason: `it answered ${answer.status}`, mayPass: PASSING.has(answer.status) };
    } catch (error) {
      const { code, name } = ((error as Error).cause ?? error) as { code?: string; name?: string };
      return { reason: `it cannot be reached (${code ?? name ?? 'no reason given'})`, mayPass: true };
    }
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count;
    this.#tell(`${this.#dropped} spans were dropped so far: ${reason}.`);
  }

  #tell(message: string): void {
    if (performance.now() - this.#toldAt < TELL_MS) return;
    this.#toldAt = performance.now();
    this.#options.onTrouble(message);
  }
}
