/** A call of the Bot API, as the server sees it. */
export interface TelegramCall {
  /** Counted from 1, over all methods. */
  number: number;
  method: string;
  /** As they came: typed from JSON, texts from a form. Files are not in here. */
  params: Readonly<Record<string, unknown>>;
  /** The chat it is about, where there is one. */
  chatId: number | undefined;
  /** When it came, by the clock of the fake. */
  at: number;
}

/** An answer that is given in place of the right one; nothing happens in the chat. */
export interface TelegramFailure {
  status: number;
  /** An object is sent as JSON, a text as it is (a proxy's page). Without it the answer is the usual one of that status. */
  body?: string | Readonly<Record<string, unknown>>;
  /** Seconds, for 429. */
  retryAfter?: number;
}

/**
 * What goes wrong with a call: another answer; the connection is cut before anything happened (`drop-before`) or after it
 * happened and before the answer (`drop-after`); no answer ever comes, without (`hang`) or with (`hang-after`) the effect.
 */
export type TelegramFault = TelegramFailure | 'drop-before' | 'drop-after' | 'hang' | 'hang-after';

/** Asked for every call. */
export type TelegramFaultHook = (call: TelegramCall) => TelegramFault | undefined;

/** What `randomTelegramFaults` draws from. */
export interface RandomTelegramFaults {
  seed: number;
  /** The share of calls that fail, from 0 to 1. */
  rate: number;
  /** Without it: 429, 500, 502, both cuts. No hanging, which costs every test its client's time limit. */
  faults?: readonly TelegramFault[];
  /** Which calls may fail. Without it: those that write in a chat. */
  may?: (call: TelegramCall) => boolean;
}

const USUAL_FAULTS: readonly TelegramFault[] = [
  { status: 429, retryAfter: 1 },
  { status: 500 },
  { status: 502, body: '<html><head><title>502 Bad Gateway</title></head></html>' },
  'drop-before',
  'drop-after',
];

/** Faults by chance, the same ones for the same seed and the same order of calls. */
export function randomTelegramFaults(options: RandomTelegramFaults): TelegramFaultHook {
  const faults = options.faults ?? USUAL_FAULTS;
  const may = options.may ?? ((call: TelegramCall) => /^(send|edit|delete|answer)/i.test(call.method));
  const random = seededRandom(options.seed);
  return (call) => {
    if (!may(call) || random() >= options.rate) return undefined;
    return faults[Math.floor(random() * faults.length)];
  };
}

/** A small generator (mulberry32): tests need numbers that come again, not good ones. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
