import type { SessionUpdate } from '@agentclientprotocol/sdk';

/**
 * Updates on their way to the client, in order.
 *
 * While one is being written the others wait, and what adds up is joined: pieces of one text, and what one call shows. So a
 * client that reads slowly gets fewer and larger updates, and no state that a call was in is skipped. When the client is
 * gone, so is what waits.
 */
export class UpdateQueue {
  readonly #send: (update: SessionUpdate) => Promise<void>;
  #waiting: SessionUpdate[] = [];
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(send: (update: SessionUpdate) => Promise<void>) {
    this.#send = send;
  }

  push(update: SessionUpdate): void {
    if (this.#isClosed) return;
    const last = this.#waiting.at(-1);
    const joined = last === undefined ? undefined : join(last, update);
    if (joined === undefined) this.#waiting.push(update);
    else this.#waiting[this.#waiting.length - 1] = joined;
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when everything so far is written. */
  async drained(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#send(next);
    } catch {
      this.#isClosed = true;
      this.#waiting = [];
    } finally {
      this.#sending = undefined;
    }
  }
}

/** Both as one, where that says the same. */
function join(one: SessionUpdate, next: SessionUpdate): SessionUpdate | undefined {
  if (one.sessionUpdate === 'tool_call_update' && next.sessionUpdate === 'tool_call_update') {
    const isSameState = next.status === undefined || next.status === one.status;
    return one.toolCallId === next.toolCallId && isSameState ? { ...one, ...next } : undefined;
  }
  if (
    (one.sessionUpdate === 'agent_message_chunk' && next.sessionUpdate === 'agent_message_chunk') ||
    (one.sessionUpdate === 'agent_thought_chunk' && next.sessionUpdate === 'agent_thought_chunk')
  ) {
    if (one.messageId !== next.messageId || one.content.type !== 'text' || next.content.type !== 'text')
      return undefined;
    return { ...one, content: { type: 'text', text: one.content.text + next.content.text } };
  }
  return undefined;
}
