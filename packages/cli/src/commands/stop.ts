import { DragomanError } from '@dragoman/protocol';
import { isRunnerIn, runnerProcessIn } from '@dragoman/runner';
import { findHolder, type ServerHolder } from '@dragoman/server/base';
import { runnerFolder } from '../runner-folder.ts';
import { type CommonOptions, findPlaces } from '../load-setup.ts';
import { endProcess } from '../server-runner/runner-process.ts';
import { cleanPath } from '../terminal/clean-text.ts';
import { print, printJson } from '../terminal/print.ts';

/** A server ends its agents first, which have some seconds themselves. */
const SERVER_MS = 45_000;

/** `dragoman stop`: ends the server of a data folder, and the agents that it or an earlier one started. */
export async function stop(options: CommonOptions & { json?: boolean }): Promise<void> {
  const { folder } = findPlaces(options);
  const server = await findHolder(folder);
  // As Ctrl-C does, which ends the agents too. A second signal would cut off one that stops already.
  const signal = server?.state === 'stopping' ? undefined : 'SIGINT';
  const ending = server && (await endProcess(server.process, signal, SERVER_MS));
  const place = runnerFolder({ folder }, undefined);
  const agents = runnerProcessIn(place);
  if (agents === undefined && isRunnerIn(place)) throw unknownProcess(place);
  const endingOfAgents = agents === undefined ? undefined : await endProcess(agents, 'SIGTERM');
  if (options.json === true) return printJson({ isStopped: server !== undefined || agents !== undefined });
  if (server !== undefined) print(`Stopped the server${describePlace(server)} and its agents.`);
  else if (agents !== undefined) print('Stopped the agents that an earlier server left at work.');
  else print(`No server is running on ${cleanPath(folder.path)}.`);
  if (ending === 'killed') print('The server did not respond and was killed.');
  if (endingOfAgents === 'killed') print('The agents’ process did not respond and was killed.');
}

function describePlace({ url, state }: ServerHolder): string {
  return url === undefined || state === 'starting' ? ' that was starting' : ` at ${url}`;
}

/** A disk that is full when it starts lets no process note who it is. */
function unknownProcess(place: string): DragomanError {
  return new DragomanError(
    'conflict',
    `A process runs agents in ${cleanPath(place)} and could not note which one it is. Find and end "dragoman server-runner".`,
  );
}
