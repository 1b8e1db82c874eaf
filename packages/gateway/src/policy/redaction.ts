import { redactFields, redactFieldsInJson } from './redact-fields.ts';
import { redactText } from './redact-text.ts';

/** Takes secrets out of the pieces of one request, and counts them. */
export class Redaction {
  count = 0;

  /** What a person or a model wrote: secrets known by their look. */
  text(text: string): string {
    return this.#counted(redactText(text)).text;
  }

  /** What went into a tool or came out of it: where it is JSON, the fields with names of secrets too. */
  toolText(text: string): string {
    return this.text(this.#counted(redactFieldsInJson(text)).text);
  }

  /** The same for what is not text yet. */
  toolValue(value: unknown): unknown {
    return value === undefined ? value : JSON.parse(this.toolText(JSON.stringify(value)));
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
