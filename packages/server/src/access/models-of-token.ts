import { DragomanError, findWiderPattern, type ModelPatterns, type TokenId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { AccessTables } from './access-tables.ts';

/** The models that a row lets its holder ask for; null where it is all. */
export function readModels(text: string | null): ModelPatterns | null {
  return text === null ? null : (JSON.parse(text) as ModelPatterns);
}

/** The models that a token may ask for; null where it is all, or where there is no such token. */
export async function modelsOfToken(
  db: Kysely<Pick<AccessTables, 'tokens'>>,
  id: TokenId | undefined,
): Promise<ModelPatterns | null> {
  if (id === undefined) return null;
  const row = await db.selectFrom('tokens').select('models').where('id', '=', id).executeTakeFirst();
  return readModels(row?.models ?? null);
}

/** What the row of a new token says: what is asked for, else what its maker may. Throws where that is more than its maker may. */
export function narrowModels(asked: ModelPatterns | undefined, makers: ModelPatterns | null): string | null {
  const allowed = asked ?? makers;
  const wider = allowed === null || makers === null ? undefined : findWiderPattern(allowed, makers);
  if (wider !== undefined)
    throw new DragomanError(
      'forbidden',
      `models: this token cannot use ${JSON.stringify(wider)}, so it cannot create a token that can. It can use: ${tellModels(makers!)}.`,
    );
  return allowed === null ? null : JSON.stringify(allowed);
}

/** So many are named to a person. */
const MOST_TOLD = 20;

/** The models that may be asked for, as far as a sentence holds them. */
export function tellModels(models: ModelPatterns): string {
  const told = models.slice(0, MOST_TOLD).join(', ');
  return models.length > MOST_TOLD ? `${told} and ${models.length - MOST_TOLD} more` : told;
}
