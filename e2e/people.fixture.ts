import { join } from 'node:path';
import type { Role } from '@dragoman/protocol';
import { accessMigrations, type AccessTables, openStore, OWNER_NAME, TokenStore } from '@dragoman/server';
import type { RunningDragoman } from '@dragoman/testkit';

/** A person as `dragoman token create` makes one. */
export interface Person {
  name: string;
  role: Role;
}

/** A token of somebody, as `dragoman token create` makes it; that command costs a process, and has tests of its own. */
export function tokenOf(server: Pick<RunningDragoman, 'home'>, { name, role }: Person): Promise<string> {
  return withTokens(server, async (tokens) => {
    const user = await tokens.openUser(name, role);
    return (await tokens.createToken({ user, name: `of-${name}`, role, kind: 'client', expiresAt: null })).text;
  });
}

/** A link that logs somebody in, once, as `dragoman token link` makes it; the owner unless given. */
export function loginLink({ home, url }: Pick<RunningDragoman, 'home' | 'url'>, person?: Person): Promise<string> {
  return withTokens({ home }, async (tokens) => {
    const user = await tokens.openUser(person?.name ?? OWNER_NAME, person?.role ?? 'admin');
    return `${url}/login#${await tokens.createLoginCode(user.id)}`;
  });
}

async function withTokens<Result>(
  { home }: Pick<RunningDragoman, 'home'>,
  work: (tokens: TokenStore) => Promise<Result>,
): Promise<Result> {
  const location = { databaseFile: join(home, 'dragoman.sqlite'), databaseUrl: undefined };
  const store = await openStore(location, { rooms: [accessMigrations] });
  try {
    return await work(new TokenStore(store.tables<AccessTables>()));
  } finally {
    await store.close();
  }
}
