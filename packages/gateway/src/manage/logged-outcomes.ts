import type { Kysely } from 'kysely';
import { readFailures } from '../metering/call-failure.ts';
import type { ProviderState } from '../metering/call-watch.ts';
import type { UsageTables } from '../metering/usage-tables.ts';

/** The newest calls tell how providers do; a page asks for them every few seconds. */
const READ_ROWS = 200;

/** What the log of calls, which all processes of an installation write, says of targets and providers. */
export interface LoggedOutcomes {
  /** When each target last took a call that it answered. */
  answered: ReadonlyMap<string, number>;
  providers: ReadonlyMap<string, ProviderState>;
}

/** How the newest calls went, also those of other processes, such as `dragoman run`. */
export async function readLoggedOutcomes(db: Kysely<UsageTables>): Promise<LoggedOutcomes> {
  const rows = await db
    .selectFrom('usage_log')
    .select(['at', 'target', 'total_ms', 'error_code', 'finish_reason', 'failures'])
    .orderBy('at', 'desc')
    .limit(READ_ROWS)
    .execute();
  const answered = new Map<string, number>();
  const providers = new Map<string, ProviderState>();
  for (const row of rows.reverse()) {
    for (const { target, code } of readFailures(row.failures) ?? [])
      note(providers, target, { lastError: { at: row.at, code } });
    if (row.error_code !== null || row.finish_reason === 'cancelled') continue;
    answered.set(row.target, row.at - row.total_ms);
    note(providers, row.target, { lastSuccessAt: row.at });
  }
  return { answered, providers };
}

/** What is known in this process and what is in the log, whichever is newer. */
export function newerState(here: ProviderState, logged: ProviderState = {}): ProviderState {
  const lastError = (logged.lastError?.at ?? 0) > (here.lastError?.at ?? 0) ? logged.lastError : here.lastError;
  const lastSuccessAt = Math.max(here.lastSuccessAt ?? 0, logged.lastSuccessAt ?? 0);
  return { ...(lastError && { lastError }), ...(lastSuccessAt > 0 && { lastSuccessAt }) };
}

function note(providers: Map<string, ProviderState>, target: string, state: ProviderState): void {
  const provider = target.slice(0, Math.max(0, target.indexOf('/')));
  providers.set(provider, { ...providers.get(provider), ...state });
}
