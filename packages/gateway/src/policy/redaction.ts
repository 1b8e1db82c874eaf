import {
  isSecretField,
  redactFieldsInTurns,
  redactTextInTurns,
  redactToolTextInTurns,
  redactToolValueInTurns,
  type Turns,
} from '@dragoman/protocol/secrets';

/** What stands in place of a secret field. */
const REDACTED = '[REDACTED]';

/** Takes secrets out of the pieces of one request, and counts them. */
export class Redaction {
  count = 0;

  /** What a person or a model wrote: secrets known by their look. */
  *text(text: string): Turns<string> {
    const redacted = this.#counted(yield* redactTextInTurns(text));
    yield;
    return redacted.text;
  }

  /** What went into a tool or came out of it: in JSON the fields with names of secrets too. */
  *toolText(text: string): Turns<string> {
    const redacted = this.#counted(yield* redactToolTextInTurns(text));
    yield;
    return redacted.text;
  }

  /** The same for what is not text yet. */
  *toolValue(value: unknown): Turns<unknown> {
    return this.#counted(yield* redactToolValueInTurns(value)).value;
  }

  /** Only the fields with names of secrets. */
  *fields<Value>(value: Value): Turns<Value> {
    return this.#counted(yield* redactFieldsInTurns(value)).value;
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

/** What becomes of each item, one after the other. */
export function* each<Item, Result>(items: Iterable<Item>, change: (item: Item) => Turns<Result>): Turns<Result[]> {
  const changed: Result[] = [];
  for (const item of items) {
    changed.push(yield* change(item));
    yield;
  }
  return changed;
}
