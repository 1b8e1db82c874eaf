import type { HubParts } from '../hub-parts.ts';
import { endUnheard } from '../sessions/end-while-away.ts';
import { tellRunnerChange } from '../sessions/tell-change.ts';
import { SIGN_OF_LIFE_MS } from './runner-presence.ts';

/**
 * Tells lists of machines that went or came without a word: a process of the hub that is killed tells nobody which runners
 * it had. Returns how to stop.
 *
 * Nothing is done with SQLite, where every runner is connected to this process.
 */
export function watchPresence(parts: HubParts): () => void {
  const { db, engine, presence, processes, logger } = parts;
  if (engine === 'sqlite') return () => {};
  const known = new Map<string, boolean>();
  const look = async () => {
    const rows = await db.selectFrom('hub_runners').select(['id', 'last_seen_at', 'connected_to']).execute();
    for (const row of rows) {
      const isConnected = presence.isConnected(row);
      if (known.has(row.id) && known.get(row.id) !== isConnected) tellRunnerChange(parts, row.id);
      known.set(row.id, isConnected);
    }
  };
  const tellLost = async (dead: readonly string[]) => {
    const rows = await db.selectFrom('hub_runners').select('id').where('connected_to', 'in', dead).execute();
    for (const { id } of rows) tellRunnerChange(parts, id);
    for (const { id } of rows) await endUnheard(parts, id);
  };
  const warn = (err: unknown) => logger.warn({ err }, 'it could not be seen which runners are connected');
  const timer = setInterval(() => void look().catch(warn), SIGN_OF_LIFE_MS).unref();
  const unhear = processes.onDeath((dead) => void tellLost(dead).catch(warn));
  return () => {
    clearInterval(timer);
    unhear();
  };
}
