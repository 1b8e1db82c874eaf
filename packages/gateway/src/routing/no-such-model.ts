import { nearestWords } from '@dragoman/server/base';
import { RefusedCall } from '../policy/refused-call.ts';

/** More names than these help nobody. */
const MOST_NAMED = 20;
const MOST_NEAR = 3;

/** What is said where a name leads nowhere: what may have been meant, and what there is. */
export function noSuchModel(asked: string, known: readonly string[]): RefusedCall {
  const name = asked.slice(0, 200);
  const near = nearModels(name, known);
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const more = known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more, which GET /v1/models lists` : '';
  return new RefusedCall(
    'not-found',
    `There is no model named ${JSON.stringify(name)}.${meant} Available models: ${known.slice(0, MOST_NAMED).join(', ')}${more}.`,
  );
}

/** The names whose model is written much like the one that was asked for, else those that are so as a whole. */
function nearModels(asked: string, known: readonly string[]): string[] {
  const byModel = Map.groupBy(known, modelIn);
  const near = nearestWords(modelIn(asked), byModel.keys(), MOST_NEAR).flatMap((model) => byModel.get(model)!);
  return near.length > 0 ? near.slice(0, MOST_NEAR) : nearestWords(asked, known, MOST_NEAR);
}

/** What stands behind the provider, where there is one. */
function modelIn(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
