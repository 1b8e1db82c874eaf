import { listServers, type SharedSettingsTables } from '@dragoman/server/base';
import type { StoreReader } from './read-store.ts';

/** The servers that share a PostgreSQL. Throws where one does not have the settings that the others have. */
export async function describeServers(readStore: StoreReader): Promise<string> {
  const servers = (await readStore((store) => listServers(store.tables<SharedSettingsTables>()))) ?? [];
  if (servers.length === 0) return 'none running';
  const says = servers
    .map(({ name, isUpToDate, problem, forNextStart }) => {
      if (problem !== undefined) return `${name}: does not use all settings: ${problem}`;
      if (!isUpToDate) return `${name}: still uses earlier settings`;
      return forNextStart.length === 0 ? name : `${name}: restart it to apply ${forNextStart.join(', ')}`;
    })
    .join('\n');
  if (servers.some(({ isUpToDate }) => !isUpToDate)) throw new Error(says);
  return says;
}
