import type { HubParts } from '../hub-parts.ts';
import { tellRunnerChange } from '../sessions/tell-change.ts';
import { SIGN_OF_LIFE_MS } from './runner-presence.ts';

/**
 * Tells lists of machines that went or came without a word: a process of the hub that is killed tells nobody which runners
 * it had. Returns how to stop.
 *
 * Nothing is done with SQLite, where every runner is connected to this process.
 */
export function watchPresence(parts: HubParts): () => void {
  if (parts.engine === 'sqlite') return () => {};
  const known = new Map<string, boolean>();
  const look = async () => {
    const rows = await parts.db.selectFrom('hub_runners').select(['id', 'last_seen_at']).execute();
    for (const row of rows) {
      const isConnected = parts.presence.isConnected(row);
      if (known.has(row.id) && known.get(row.id) !== isConnected) tellRunnerChange(parts, row.id);
      known.set(row.id, isConnected);
    }
  };
  const timer = setInterval(() => {
    look().catch((err: unknown) => parts.logger.warn({ err }, 'it could not be seen which runners are connected'));
  }, SIGN_OF_LIFE_MS);
  timer.unref();
  return () => clearInterval(timer);
}
