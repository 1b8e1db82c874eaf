import { activeTraceFields, type TraceFields } from '@dragoman/server/base';

/** A prompt that waits behind so many others begins a trace of its own. */
const MOST_PROMPTS = 1000;

/** Which trace each prompt belongs to, until its runner is told. After a restart nobody knows, and nothing depends on it. */
export class PromptTraces {
  readonly #fields = new Map<string, TraceFields>();

  /** Remembers where we are for a prompt, where traces are on. */
  note(sessionId: string, promptId: string): void {
    const fields = activeTraceFields();
    if (fields === undefined) return;
    this.#fields.set(keyOf(sessionId, promptId), fields);
    const [oldest] = this.#fields.keys();
    if (this.#fields.size > MOST_PROMPTS) this.#fields.delete(oldest!);
  }

  of(sessionId: string, promptId: string): TraceFields | undefined {
    return this.#fields.get(keyOf(sessionId, promptId));
  }
}

function keyOf(sessionId: string, promptId: string): string {
  return `${sessionId} ${promptId}`;
}
