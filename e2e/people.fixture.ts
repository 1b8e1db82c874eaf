import { join } from 'node:path';
import type { Role } from '@dragoman/protocol';
import { accessMigrations, type AccessTables, openStore, OWNER_NAME, TokenStore } from '@dragoman/server';
import { logInBrowser, type RunningDragoman } from '@dragoman/testkit';
import type { BrowserContext } from 'playwright-core';

/** A person as `dragoman token create` makes one. */
export interface Person {
  name: string;
  role: Role;
}

/** A token of somebody, as `dragoman token create` makes it; that command costs a process, and has tests of its own. */
export function tokenOf(server: Pick<RunningDragoman, 'home'>, { name, role }: Person): Promise<string> {
  return withTokens(server, async (tokens) => {
    const user = await tokens.openUser(name, role);
    return (await tokens.createToken({ user, name: `of-${name}`, role, expiresAt: null })).text;
  });
}

/** Logs a browser in as the page behind a login link does, which has tests of its own; as the owner unless somebody is given. */
export async function logIn(browser: BrowserContext, { home, url }: RunningDragoman, person?: Person): Promise<void> {
  const code = await withTokens({ home }, async (tokens) => {
    const user = await tokens.openUser(person?.name ?? OWNER_NAME, person?.role ?? 'admin');
    return tokens.createLoginCode(user.id);
  });
  await logInBrowser(browser, url, code);
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
