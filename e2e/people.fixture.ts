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
export async function logIn(browser: BrowserContext, server: RunningDragoman, person?: Person): Promise<void> {
  await logInBrowser(browser, server.url, await loginCode(server, person));
}

/** A login link as a person follows it; the owner's unless somebody is given. */
export async function loginLink(server: RunningDragoman, person?: Person): Promise<string> {
  return `${server.url}/login#${await loginCode(server, person)}`;
}

function loginCode({ home }: RunningDragoman, person?: Person): Promise<string> {
  return withTokens({ home }, async (tokens) => {
    const user = await tokens.openUser(person?.name ?? OWNER_NAME, person?.role ?? 'admin');
    return tokens.createLoginCode(user.id);
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
