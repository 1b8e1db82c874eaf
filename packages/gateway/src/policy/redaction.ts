import { redactFields, redactFieldsInJson, redactTextInTurns, redactToolTextInTurns } from '@dragoman/protocol/secrets';

/** Work that is done a piece at a time, so that others need not wait for all of it; see `inTurns`. */
export type Turns<Result> = Generator<undefined, Result>;

/** Takes secrets out of the pieces of one request, and counts them. */
export class Redaction {
  count = 0;

  /** What a person or a model wrote: secrets known by their look. */
  *text(text: string): Turns<string> {
    const redacted = this.#counted(yield* redactTextInTurns(text));
    yield;
    return redacted.text;
  }

  /** What went into a tool or came out of it: where it is JSON, the fields with names of secrets too. */
  *toolText(text: string): Turns<string> {
    const withoutFields = this.#counted(redactFieldsInJson(text));
    const redacted = this.#counted(yield* redactToolTextInTurns(withoutFields.text));
    yield;
    return redacted.text;
  }

  /** The same for what is not text yet. */
  *toolValue(value: unknown): Turns<unknown> {
    return value === undefined ? value : JSON.parse(yield* this.toolText(JSON.stringify(value)));
  }

  /** Only the fields with names of secrets. */
  fields<Value>(value: Value): Value {
    return this.#counted(redactFields(value)).value as Value;
  }

  #counted<Result extends { count: number }>(result: Result): Result {
    this.count += result.count;
    return result;
  }
}

/** What becomes of each item, one after the other. */
export function* each<Item, Result>(items: Iterable<Item>, change: (item: Item) => Turns<Result>): Turns<Result[]> {
  const changed: Result[] = [];
  for (const item of items) changed.push(yield* change(item));
  return changed;
}
