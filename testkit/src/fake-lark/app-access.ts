import { hex } from './hex.ts';

const HOUR = 3_600_000;

/** What lets the app in: its secret, the tokens it was given for that, and whether it is on. */
export class AppAccess {
  readonly #now: () => number;
  readonly #tokens = new Map<string, number>();
  #secret: string;
  #isDisabled = false;
  #latest: { value: string; expiresAt: number } | undefined;

  constructor(secret: string, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  get secret(): string {
    return this.#secret;
  }

  get isDisabled(): boolean {
    return this.#isDisabled;
  }

  disable(isDisabled: boolean): void {
    this.#isDisabled = isDisabled;
  }

  /** Another secret; what was given out is worth nothing any more. */
  revoke(): void {
    this.#secret = hex(16);
    this.#latest = undefined;
    this.#tokens.clear();
  }

  /** The same token until half an hour before it ends; then a new one, and both are good. */
  giveToken(): { value: string; expire: number } {
    const now = this.#now();
    if (this.#latest === undefined || this.#latest.expiresAt - now < HOUR / 2) {
      this.#latest = { value: `t-${hex(20)}`, expiresAt: now + 2 * HOUR };
      this.#tokens.set(this.#latest.value, this.#latest.expiresAt);
    }
    return { value: this.#latest.value, expire: Math.floor((this.#latest.expiresAt - now) / 1000) };
  }

  isGoodToken(value: string): boolean {
    return (this.#tokens.get(value) ?? 0) > this.#now();
  }
}
