import type { Message, ModelMessage, ModelName, SessionState } from '@dragoman/protocol';
import { sessionView } from './session-view.ts';
import { toModelMessage } from './to-model-message.ts';

const EPHEMERAL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

const GO_ON: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] };

/**
 * Makes the prompt of each step. Messages that did not change are not converted again: they are the same objects, so the
 * front of the prompt stays as it was, to the byte.
 */
export class PromptBuilder {
  readonly #model: ModelName;
  readonly #converted = new WeakMap<Message, ModelMessage[]>();

  constructor(model: ModelName) {
    this.#model = model;
  }

  /** System text, then what is in view. The ends of both are marked for providers that cache where they are told to. */
  build(system: string, state: Pick<SessionState, 'messages' | 'revert'>): ModelMessage[] {
    const messages = this.#messages(state);
    const last = messages.at(-1);
    return [
      { role: 'system', content: system, providerOptions: EPHEMERAL },
      ...messages.slice(0, -1),
      ...(last === undefined ? [] : [{ ...last, providerOptions: EPHEMERAL }]),
    ];
  }

  #messages(state: Pick<SessionState, 'messages' | 'revert'>): ModelMessage[] {
    const { summary, messages } = sessionView(state);
    const converted = messages
      .flatMap(this.convert)
      .filter((message, index, all) => !isAskedAgain(message, all[index + 1]));
    if (summary !== undefined) return [summaryMessage(summary), ...converted];
    // Providers want the first word to be the user's, also where it cannot be told.
    return converted[0]?.role === 'user' ? converted : [GO_ON, ...converted];
  }

  /** One message, converted once. */
  readonly convert = (message: Message): ModelMessage[] => {
    let converted = this.#converted.get(message);
    if (converted === undefined) {
      converted = toModelMessage(message, this.#model);
      this.#converted.set(message, converted);
    }
    return converted;
  };
}

/** A prompt that nothing was said to, and that was sent once more: the model reads it once. */
function isAskedAgain(message: ModelMessage, next: ModelMessage | undefined): boolean {
  if (message.role !== 'user' || next?.role !== 'user') return false;
  return JSON.stringify(message.content) === JSON.stringify(next.content);
}

function summaryMessage(summary: string): ModelMessage {
  return {
    role: 'user',
    content: [
      {
        type: 'text',
        text: `The earlier part of this conversation was summed up to save space:\n\n<summary>\n${summary}\n</summary>\n\nGo on from there.`,
      },
    ],
  };
}
