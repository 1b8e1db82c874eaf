const SECOND_MS = 1000;

/** Tells what clocks show in a time zone, by its IANA name. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  /** Throws a RangeError for a name that is no time zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** How far clocks are ahead of UTC at a moment, in milliseconds. */
  offsetAt(at: number): number {
    const whole = Math.floor(at / SECOND_MS) * SECOND_MS;
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(whole)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  }

  /** What clocks show at a moment, as if they showed UTC. */
  wallAt(at: number): number {
    return at + this.offsetAt(at);
  }
}
