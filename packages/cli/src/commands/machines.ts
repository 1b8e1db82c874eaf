import { createHubClient, DragomanError, type HubClient, type HubRunner, type HubSession } from '@dragoman/protocol';
import { findProven } from '@dragoman/server';
import { formatMoment } from '../format-moment.ts';
import { formatTable } from '../format-table.ts';
import { howToRun } from '../how-to-run.ts';
import { type CommonOptions, findPlaces } from '../load-setup.ts';
import { remoteServer } from '../remote-server.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { print, printError, printJson } from '../terminal/print.ts';

interface ServerOptions extends CommonOptions {
  server?: string;
  token?: string;
  json?: boolean;
}

/** So many sessions of a machine are listed. */
const LISTED = 20;

/** The machines of a server: which are connected, since when the others are not, and which sessions wait for those. */
export async function listMachines(options: ServerOptions): Promise<void> {
  const client = await openClient(options);
  const { runners } = await client.listRunners();
  if (options.json === true) return printJson(runners, 2);
  print(
    formatTable(
      ['id', 'name', 'owner', 'state'],
      runners.map(({ id, name, owner, isConnected, lastSeenAt }) => [
        id,
        cleanLine(name),
        cleanLine(owner),
        isConnected ? 'connected' : `offline since ${formatMoment(lastSeenAt)}`,
      ]),
    ),
  );
  const waiting = await Promise.all(
    runners.map(async (runner) => (runner.isConnected ? [] : toRows(runner, await openSessions(client, runner)))),
  );
  const rows = waiting.flat();
  if (rows.length === 0) return;
  print(`\nOpen sessions on offline machines:\n\n${formatTable(['machine', 'id', 'state', 'title'], rows)}`);
  printError(`To continue one on another machine: ${howToRun('sessions move ID MACHINE')}`);
  printError(`To stop its turn: ${howToRun('sessions stop ID')}`);
}

/** Those that can go on, the latest first. */
async function openSessions(client: HubClient, { id }: HubRunner): Promise<HubSession[]> {
  const { sessions } = await client.listSessions({ runnerId: id, archived: false, limit: LISTED });
  return sessions.filter(({ status }) => status !== 'stopped' && status !== 'failed');
}

function toRows({ name }: HubRunner, sessions: readonly HubSession[]): string[][] {
  return sessions.map(({ id, status, title }) => [cleanLine(name), id, status, cleanLine(title)]);
}

/** Stops the turn of a session of a server; where its machine is offline, the turn is over at once. */
export async function stopSession(sessionId: string, options: ServerOptions): Promise<void> {
  const client = await openClient(options);
  const { turnId } = await client.cancelTurn({ sessionId });
  if (options.json === true) printJson({ id: sessionId, ...(turnId !== undefined && { turnId }) });
  else if (turnId === undefined) print('Nothing is running.');
  else print((await client.getSession({ sessionId })).turnId === turnId ? 'Stopping.' : 'Stopped.');
}

/** Forgets a machine that is gone. Its sessions can still be read, and moved. */
export async function removeMachine(named: string, options: ServerOptions): Promise<void> {
  const client = await openClient(options);
  const { id, name } = await findMachine(client, named);
  await client.removeRunner({ runnerId: id });
  if (options.json === true) printJson({ id });
  else print(`Removed ${cleanLine(name)}. Its sessions can still be read, or moved to another machine.`);
}

/** Moves a session of a server to another of its machines, or to another folder or agent of the same one. */
export async function moveSession(
  sessionId: string,
  named: string,
  options: ServerOptions & { folder?: string; agent?: string },
): Promise<void> {
  const client = await openClient(options);
  const { id: runnerId, name } = await findMachine(client, named);
  const { folder, agent } = options;
  const before = await client.getSession({ sessionId });
  const moved = await client.moveSession({
    sessionId,
    runnerId,
    ...(folder !== undefined && { folder }),
    ...(agent !== undefined && { agent }),
  });
  if (options.json === true) printJson({ id: moved.id, runnerId, folder: moved.folder, agent: moved.agent });
  else print(describeMove(before, moved, cleanLine(name)));
}

function describeMove(before: HubSession, moved: HubSession, machine: string): string {
  const isOtherMachine = moved.runnerId !== before.runnerId;
  const withAgent = moved.agent === before.agent ? '' : ` with ${cleanLine(moved.agent)}`;
  const inFolder = !isOtherMachine && moved.folder === before.folder ? '' : ` in ${cleanLine(moved.folder)}`;
  if (isOtherMachine)
    return `Moved to ${machine}, where it works${withAgent}${inFolder}.\nWhat its agent still does on the machine before is not shown.`;
  if (withAgent !== '' || inFolder !== '') return `Now works${withAgent}${inFolder}.`;
  return `The session is on ${machine} already, and works with ${cleanLine(moved.agent)} in ${cleanLine(moved.folder)}. Nothing was changed.`;
}

/** The server that is named; else the one that runs on this machine, which lets in whoever may read its lock. */
async function openClient({ server, token, ...options }: ServerOptions): Promise<HubClient> {
  if (server !== undefined) return createHubClient(remoteServer(server, token));
  const running = await findProven(findPlaces(options).folder);
  if (running === undefined)
    throw new DragomanError('unavailable', 'No server is running here. Start it, or name another one with --server.');
  const given = token ?? process.env['DRAGOMAN_TOKEN'];
  return createHubClient({
    url: running.url,
    token: given === undefined || given === '' ? running.runnerToken : given,
  });
}

async function findMachine(client: HubClient, named: string): Promise<HubRunner> {
  const { runners } = await client.listRunners();
  const byId = runners.find(({ id }) => id === named);
  const [first, ...others] = byId === undefined ? runners.filter(({ name }) => name === named) : [byId];
  if (first !== undefined && others.length === 0) return first;
  const known = runners.map(({ id, name }) => `${name} (${id})`).join(', ') || 'none';
  throw new DragomanError(
    first === undefined ? 'not-found' : 'conflict',
    first === undefined
      ? `There is no machine "${named}"; the server knows: ${known}.`
      : `Several machines are called "${named}"; name one by its id: ${known}.`,
  );
}
