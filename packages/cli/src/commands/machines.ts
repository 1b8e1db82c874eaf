import { createHubClient, DragomanError, type HubClient, type HubRunner } from '@dragoman/protocol';
import { findProven } from '@dragoman/server';
import { formatMoment } from '../format-moment.ts';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, findPlaces } from '../load-setup.ts';
import { remoteServer } from '../remote-server.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { print, printJson } from '../terminal/print.ts';

interface ServerOptions extends CommonOptions {
  server?: string;
  token?: string;
  json?: boolean;
}

/** The machines of a server: which are connected, and since when the others are not. */
export async function listMachines(options: ServerOptions): Promise<void> {
  const { runners } = await (await openClient(options)).listRunners();
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
}

/** Forgets a machine that is gone. Its sessions can still be read, and moved. */
export async function removeMachine(named: string, options: ServerOptions): Promise<void> {
  const client = await openClient(options);
  const { id, name } = await findMachine(client, named);
  await client.removeRunner({ runnerId: id });
  if (options.json === true) printJson({ id });
  else print(`Removed ${cleanLine(name)}. Its sessions can still be read, or moved to another machine.`);
}

/** Moves a session of a server to another of its machines. */
export async function moveSession(
  sessionId: string,
  named: string,
  options: ServerOptions & { folder?: string; agent?: string },
): Promise<void> {
  const client = await openClient(options);
  const { id: runnerId, name } = await findMachine(client, named);
  const { folder, agent } = options;
  const moved = await client.moveSession({
    sessionId,
    runnerId,
    ...(folder !== undefined && { folder }),
    ...(agent !== undefined && { agent }),
  });
  if (options.json === true) printJson({ id: moved.id, runnerId, folder: moved.folder, agent: moved.agent });
  else print(`Moved to ${cleanLine(name)}, where it works in ${cleanLine(moved.folder)}.`);
}

/** The server that is named; else the one that runs on this machine. */
async function openClient({ server, token, ...options }: ServerOptions): Promise<HubClient> {
  const running = server ?? (await findProven(findPlaces(options).folder))?.url;
  if (running === undefined)
    throw new DragomanError('unavailable', 'No server is running here. Start it, or name another one with --server.');
  return createHubClient(remoteServer(running, token));
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
