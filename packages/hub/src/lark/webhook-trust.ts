import type { HubLog } from '../hub-log.ts';

/** So many calls without a signature are read in a minute: two tabs of the developer console, and a few mistakes. */
const MAX_UNSIGNED = 5;
const MINUTE_MS = 60_000;
/** The address is entered in two places of the developer console, and only what is set up right now is checked. */
const SETUP_MS = 15 * 60_000;

/**
 * What this process knows of those who call its webhook.
 *
 * Only the check of the address comes without a signature, so it is what a stranger could try keys and texts with. It is
 * answered while the bot is being set up: until Lark has proven itself and a little longer, and again after an admin asked
 * how the bot is.
 */
export class WebhookTrust {
  readonly #now: () => number;
  readonly #log: HubLog;
  #setupEndsAt = Number.POSITIVE_INFINITY;
  #unsigned = { since: Number.NEGATIVE_INFINITY, count: 0 };
  #untold = { since: Number.NEGATIVE_INFINITY, count: 0 };
  #unverified: { count: number; reason: string } | undefined;

  constructor(parts: { now: () => number; log: HubLog }) {
    this.#now = parts.now;
    this.#log = parts.log;
  }

  /** Calls that look like Lark's and could not be verified, since the last one that could. Anybody can make them. */
  get unverified(): { count: number; reason: string } | undefined {
    return this.#unverified;
  }

  /** Whether a call without a signature is read. Each that asks counts. */
  mayReadUnsigned(): boolean {
    const now = this.#now();
    if (now >= this.#setupEndsAt) return false;
    if (now - this.#unsigned.since >= MINUTE_MS) this.#unsigned = { since: now, count: 0 };
    return ++this.#unsigned.count <= MAX_UNSIGNED;
  }

  /** It was Lark. */
  prove(): void {
    this.#setupEndsAt = Math.min(this.#setupEndsAt, this.#now() + SETUP_MS);
    this.#unverified = undefined;
  }

  /** An admin is at work on the set-up. */
  expectSetup(): void {
    this.#setupEndsAt = Math.max(this.#setupEndsAt, this.#now() + SETUP_MS);
  }

  /** A call was refused. The log gets one line a minute, whoever calls how often. */
  refuse(reason: string, { looksLikeLark }: { looksLikeLark: boolean }): void {
    if (looksLikeLark) this.#unverified = { count: (this.#unverified?.count ?? 0) + 1, reason };
    const now = this.#now();
    this.#untold.count++;
    if (now - this.#untold.since < MINUTE_MS) return;
    this.#log.warn({ channel: 'lark', reason, count: this.#untold.count }, 'refused webhook requests');
    this.#untold = { since: now, count: 0 };
  }
}
