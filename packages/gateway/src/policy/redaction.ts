import {
  isPlainText,
  isSecretField,
  redactTextInTurns,
  redactToolTextInTurns,
  redactToolValueInTurns,
  redactValueInTurns,
  type Turns,
} from '@dragoman/protocol/secrets';

/** What stands in place of a secret field. */
const REDACTED = '[REDACTED]';
/** No token is shorter. */
const SHORTEST_TOKEN = 20;

/** Takes secrets out of the pieces of one request, and counts them. */
export class Redaction {
  count = 0;

  /** What a person or a model wrote: secrets known by their look. */
  *text(text: string): Turns<string> {
    if (isPlainText(text)) return text;
    return this.#counted(yield* redactTextInTurns(text)).text;
  }

  /** What went into a tool or came out of it: in JSON the fields with names of secrets too. */
  *toolText(text: string): Turns<string> {
    return this.#counted(yield* redactToolTextInTurns(text)).text;
  }

  /** The same for what is not text yet. */
  *toolValue(value: unknown): Turns<unknown> {
    return this.#counted(yield* redactToolValueInTurns(value)).value;
  }

  /** What people wrote, of which it is not known what it is for: the fields with names of secrets too. */
  *value<Value>(value: Value): Turns<Value> {
    return this.#counted(yield* redactValueInTurns(value)).value;
  }

  /** The name of a field. */
  *name(name: string): Turns<string> {
    return name.length < SHORTEST_TOKEN ? name : yield* this.text(name);
  }

  /** The value of a single field. */
  field(name: string, value: string): string {
    if (!isSecretField(name, value)) return value;
    this.count++;
    return REDACTED;
  }

  #counted<Result extends { count: number }>(result: Result): Result {
    this.count += result.count;
    return result;
  }
}

/** So many items at most are looked at in a turn; what is long in one of them has turns of its own. */
const ITEMS_AT_ONCE = 16;

/** What becomes of each item, one after the other. */
export function* each<Item, Result>(items: Iterable<Item>, change: (item: Item) => Turns<Result>): Turns<Result[]> {
  const changed: Result[] = [];
  for (const item of items) {
    changed.push(yield* change(item));
    if (changed.length % ITEMS_AT_ONCE === 0) yield;
  }
  return changed;
}
