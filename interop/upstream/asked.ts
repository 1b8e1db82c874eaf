/** A request to a model, in words that the protocols share. */
export interface Asked {
  /** Everything that people and programs said to the model as the user. */
  userText: string;
  /** The names of the tools on offer. */
  tools: readonly string[];
  /** What tools have answered since the user spoke last, oldest first; one list for each time the model called some. */
  results: readonly (readonly string[])[];
  isStreamed: boolean;
  /** What the answer has to be, where it has to be JSON. */
  schema?: Json | undefined;
}

export interface Call {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

/** What the model answers: words, or calls of tools. */
export type Said = string | readonly Call[];

/** What the real service would refuse; the message says why. */
export class Refusal extends Error {
  readonly status = 400;
  /** Whether clients are made for it, and ask in another way then. */
  readonly isForeseen: boolean;

  constructor(message: string, { isForeseen = false } = {}) {
    super(message);
    this.isForeseen = isForeseen;
  }
}

/** One protocol of a model service: how it is asked, and how it answers. */
export interface Protocol {
  /** Throws a `Refusal` for what the real service would not take. */
  read(body: Json, path: string, headers: Readonly<Record<string, unknown>>): Asked;
  /** The pieces of a streamed answer. */
  stream(said: Said): string[];
  whole(said: Said): Json;
  error(status: number, message: string): Json;
}

export type Json = Record<string, unknown>;

/** The fields of a body that the service knows; others are refused. */
export function refuseUnknown(body: Json, known: readonly string[], where: string): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Refusal(`Unknown field ${where}${unknown}.`);
}

export function objects(value: unknown, where: string): Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Refusal(`${where} must be a list.`);
  return value as Json[];
}

/** The names that every service takes. */
export function checkToolNames(names: readonly string[]): void {
  const bad = names.find((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  if (bad !== undefined)
    throw new Refusal(`The name of the tool ${JSON.stringify(bad)} does not match ^[a-zA-Z0-9_-]{1,64}$.`);
  if (new Set(names).size < names.length) throw new Refusal('Tool names must be unique.');
}

/** The text in a content: a string, or a list of parts of which some have a text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: Json) => (typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

/** Cuts a text in two, so that a stream has more than one piece of it. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

export function serverSentEvent(data: Json, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

let made = 0;
export function newId(prefix: string): string {
  made += 1;
  return `${prefix}${made.toString(36).padStart(8, '0')}`;
}
