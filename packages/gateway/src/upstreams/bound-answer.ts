import type { ModelSink, ProviderMetadata } from '@dragoman/protocol';
import { ANSWER_LIMITS, answerTooLarge } from './answer-limits.ts';

/** An answer within the limits. The event that passes one is thrown back at whoever reads the provider's bytes. */
export function boundAnswer(next: ModelSink): ModelSink {
  let events = 0;
  let blocks = 0;
  let characters = 0;
  const keep = (length: number) => {
    characters += length;
    if (characters > ANSWER_LIMITS.characters) throw answerTooLarge(`more than ${ANSWER_LIMITS.characters} characters`);
  };
  const start = () => {
    if (++blocks > ANSWER_LIMITS.blocks) throw answerTooLarge(`more than ${ANSWER_LIMITS.blocks} blocks`);
  };
  const name = (id = '') => {
    const { nameCharacters } = ANSWER_LIMITS;
    if (id.length > nameCharacters) throw answerTooLarge(`more than ${nameCharacters} characters in a name`);
  };
  return {
    push(event) {
      if (++events > ANSWER_LIMITS.events && event.type !== 'error')
        throw answerTooLarge(`more than ${ANSWER_LIMITS.events} events`);
      switch (event.type) {
        case 'text-delta':
        case 'reasoning-delta':
        case 'tool-input-delta':
          keep(event.delta.length);
          break;
        case 'text-start':
        case 'reasoning-start':
          start();
          name(event.id);
          break;
        case 'tool-input-start':
          start();
          keep(event.id.length + event.toolName.length);
          break;
        case 'response-metadata':
          name(event.id);
          name(event.modelId);
          break;
        case 'text-end':
        case 'reasoning-end':
        case 'tool-input-end':
          if (event.providerMetadata !== undefined) keep(textsIn(event.providerMetadata));
          break;
        default: // Its end.
      }
      next.push(event);
    },
  };
}

/** How long the texts are that a provider wants back, such as the signature of a thought. */
function textsIn(metadata: ProviderMetadata): number {
  let length = 0;
  for (const values of Object.values(metadata))
    for (const value of Object.values(values)) if (typeof value === 'string') length += value.length;
  return length;
}
