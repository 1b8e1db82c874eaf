import type { CardProblem } from './card-problem.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { refuse } from './lark-refusal.ts';
import type { LarkState } from './lark-state.ts';
import { validateCard } from './validate-card.ts';

/** The card, if the platform takes it; refused with the code that CardKit has for what is wrong with it. */
export function checkedCard(state: LarkState, card: JsonObject): JsonObject {
  const problem = firstProblem(state, card);
  if (problem !== undefined) refuse(problem.code, `ErrPath: ${problem.path}; ErrMsg: ${problem.message}; `);
  return card;
}

/** The same for a card inside of a message, which has another way to say it. */
export function checkedMessageCard(state: LarkState, card: JsonObject): JsonObject {
  const problem = firstProblem(state, card);
  if (problem === undefined) return card;
  if (problem.code === 200860) refuse(230025, 'The length of the message content reaches its limit.');
  refuse(
    230099,
    `Failed to create card content, ext=ErrCode: ${problem.messageCode}; ErrMsg: ${problem.message}; ErrPath: ${problem.path}; `,
  );
}

function firstProblem(state: LarkState, card: JsonObject): CardProblem | undefined {
  return validateCard(card)[0] ?? unknownImage(state, card);
}

/** Pictures are uploaded first, by the same app. */
function unknownImage(state: LarkState, value: unknown): CardProblem | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const problem = unknownImage(state, item);
      if (problem !== undefined) return problem;
    }
  } else if (isJsonObject(value)) {
    const key = value['img_key'];
    if (typeof key === 'string' && key !== '' && state.files.get(key)?.kind !== 'image') {
      return { code: 200220, messageCode: 200570, path: key, message: 'card contains invalid image keys' };
    }
    return unknownImage(state, Object.values(value));
  }
  return undefined;
}
