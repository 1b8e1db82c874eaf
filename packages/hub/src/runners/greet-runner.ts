import { DragomanError, isRoleAtLeast, type RunnerHello, type RunnerWelcome } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { Transaction } from 'kysely';
import type { HubParts } from '../hub-parts.ts';
import type { HubTables } from '../hub-tables.ts';
import { tellRunnerChange } from '../sessions/tell-change.ts';
import { boundFault } from './bound-event.ts';
import { checkOwnsRunner } from './runner-access.ts';

/** More than a person has; who builds machines by the dozen removes the old ones, or is an admin. */
const MOST_MACHINES = 50;

/** How long what a machine says of its folders and agents may be, in characters of JSON. Every list of machines holds it. */
const LONGEST_OFFER = 64 * 1024;

/** What a runner is to the servers, as far as the one that it connects to knows. */
interface RunnerPlace {
  isServer: boolean;
  homeRunnerId?: string | undefined;
}

/**
 * Takes note of a runner that connects. It belongs to whoever's token it came with first. With a new outbox, numbers
 * start again; commands that were not carried out stay as they are.
 */
export async function greetRunner(
  parts: HubParts,
  caller: Caller,
  hello: RunnerHello,
  { isServer, homeRunnerId }: RunnerPlace,
): Promise<RunnerWelcome> {
  const offer = offerOf(hello);
  const acked = await parts.db.transaction().execute(async (db) => {
    const said = {
      name: await nameOf(db, caller, hello),
      host: hello.host,
      version: hello.version,
      is_shared: hello.isShared ? 1 : 0,
      ...offer,
      outbox_id: hello.outboxId,
      ...(isServer && { is_server: 1 }),
      ...(homeRunnerId !== undefined && { home_runner_id: homeRunnerId }),
    };
    const isNew = await db
      .insertInto('hub_runners')
      .values({
        id: hello.id,
        ...said,
        owner_id: caller.userId,
        owner_name: caller.userName,
        acked: 0,
        handled: 0,
        commanded: 0,
        last_seen_at: parts.now(),
        forgotten_at: null,
        connected_to: null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (isNew !== undefined) {
      await checkCount(db, caller);
      return 0;
    }

    const known = await db.selectFrom('hub_runners').selectAll().where('id', '=', hello.id).executeTakeFirstOrThrow();
    checkOwnsRunner(caller, known);
    const isSameOutbox = known.outbox_id === hello.outboxId;
    await db
      .updateTable('hub_runners')
      .set({ ...said, forgotten_at: null, ...(!isSameOutbox && { acked: 0 }) })
      .where('id', '=', hello.id)
      .execute();
    return isSameOutbox ? known.acked : 0;
  });
  tellRunnerChange(parts, hello.id);
  return { acked };
}

function offerOf({ folders, agents }: RunnerHello): { folders_json: string; agents_json: string } {
  const offered = agents.map((agent) => ({ ...agent, ...(agent.problem && { problem: boundFault(agent.problem) }) }));
  const offer = { folders_json: JSON.stringify(folders), agents_json: JSON.stringify(offered) };
  const length = offer.folders_json.length + offer.agents_json.length;
  if (length > LONGEST_OFFER)
    throw new DragomanError(
      'too-large',
      `The folders and agents of this machine take ${length} characters; a server keeps ${LONGEST_OFFER}. Offer fewer of them.`,
    );
  return offer;
}

/** Refuses, by ending the transaction, a machine more than a person may have. */
async function checkCount(db: Transaction<HubTables>, caller: Caller): Promise<void> {
  if (isRoleAtLeast(caller.role, 'admin')) return;
  const { count } = await db
    .selectFrom('hub_runners')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', caller.userId)
    .where('forgotten_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) > MOST_MACHINES)
    throw new DragomanError(
      'conflict',
      `${caller.userName} has ${MOST_MACHINES} machines, which is the limit; remove some under Settings, Agents.`,
    );
}

/** A machine of somebody else's that is called like a server's own is shown with its owner. */
async function nameOf(db: Transaction<HubTables>, caller: Caller, { id, name }: RunnerHello): Promise<string> {
  if (isRoleAtLeast(caller.role, 'admin')) return name;
  const servers = await db.selectFrom('hub_runners').select(['id', 'name']).where('is_server', '=', 1).execute();
  if (servers.some((server) => server.id === id)) return name;
  return servers.some((server) => looksLike(server.name, name)) ? `${name} (${caller.userName})` : name;
}

/**
 * Whether people may take a name for another: they are not told apart by case, width, accents, spaces, signs that cannot be
 * seen, or a letter of another script in the place of a Latin one.
 */
function looksLike(one: string, other: string): boolean {
  const [own, their] = [seenAs(one), seenAs(other)];
  return own.length === their.length && own.every((letter, at) => isTakenFor(letter, their[at]!));
}

function seenAs(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}\s]/gu, '')
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replaceAll(/[1i|]/g, 'l');
  return Array.from(plain);
}

function isTakenFor(one: string, other: string): boolean {
  const isAscii = (letter: string) => letter <= '~';
  return one === other || isAscii(one) !== isAscii(other);
}
