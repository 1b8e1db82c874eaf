const MOST_CONVERSATIONS = 10_000;
/** The longest that providers keep a prompt whose conversation has paused. */
const CACHED_MS = 3_600_000;

/** Which target answered a conversation last: its provider still has the beginning of the prompt in its cache. */
export class ConversationTargets {
  /** Is told where a conversation is answered by another target than before. */
  onChange: ((conversation: string, target: string) => void) | undefined;
  readonly #targets = new Map<string, { target: string; at: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(conversation: string, target: string): void {
    const isChanged = this.of(conversation) !== target;
    this.answeredElsewhere(conversation, target);
    if (isChanged) this.onChange?.(conversation, target);
  }

  /** A conversation was answered by that target in another process. */
  answeredElsewhere(conversation: string, target: string): void {
    this.#targets.delete(conversation); // The newest are at the end.
    this.#targets.set(conversation, { target, at: this.#now() });
    if (this.#targets.size > MOST_CONVERSATIONS) this.#targets.delete(this.#targets.keys().next().value!);
  }

  of(conversation: string): string | undefined {
    const known = this.#targets.get(conversation);
    return known === undefined || this.#now() - known.at > CACHED_MS ? undefined : known.target;
  }
}
