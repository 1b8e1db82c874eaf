import { DragomanError, type RunnerHello } from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { httpLink } from '@dragoman/runner';
import type { CommandLog } from '../command-log.ts';
import { hostForHub } from '../host-for-hub.ts';
import { openHostingLog } from '../hosting-log.ts';
import { type CommonOptions, openSetup } from '../load-setup.ts';
import { remoteServer } from '../remote-server.ts';
import { settleMemory } from '../settle-memory.ts';
import { print } from '../terminal/print.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { watchedLink } from '../watched-link.ts';

/** What `dragoman runner` is told. */
export interface RunnerOptions extends CommonOptions {
  hub: string;
  token?: string;
  name?: string;
  share?: boolean;
}

/** `dragoman runner`: hosts the agents of this machine for a hub elsewhere, until it is told to stop. */
export async function runner(options: RunnerOptions): Promise<void> {
  const interrupted = untilInterrupted();
  const { url, token } = remoteServer(options.hub, options.token, '--hub');
  if (options.name !== undefined && !HUB_CALLS.runnerHello.body.shape.name.safeParse(options.name).success)
    throw new DragomanError('bad-request', '--name: expected one line of 1 to 255 characters, with something to see.');
  const setup = openSetup(options);
  const log = openHostingLog(setup.config.value);
  const link = httpLink({ url, token });
  await hostForHub(
    {
      setup,
      link,
      watched: watchedLink(link, tellConnected(url)),
      hubUrl: url,
      name: options.name,
      isShared: options.share ?? false,
      log,
      runnerLog: withoutRefusal(log),
    },
    async (host) => {
      print(`Connecting to ${url}. Press Ctrl-C to stop.`);
      try {
        await Promise.race([interrupted.promise, host.finished]);
      } catch (error) {
        throw toRefusal(error, url);
      }
    },
  );
}

/** Tells the first connection with what is offered, and later ones in a word. */
function tellConnected(url: string): (hello: RunnerHello) => void {
  let said = '';
  return ({ name, agents, folders }) => {
    if (said === '') settleMemory();
    const offered = agents.filter(({ problem }) => problem === undefined).map((agent) => agent.name);
    const lines = [
      `Connected to ${url} as "${name}".`,
      `Agents: ${offered.join(', ')}. To see what others need: dragoman doctor --all`,
      `Folders: ${folders.length === 0 ? 'any; "runner": { "folders": ["~/code"] } in the configuration names some' : folders.join(', ')}.`,
    ].join('\n');
    print(lines === said ? `Reconnected to ${url}.` : lines);
    said = lines;
  };
}

/** What a hub says to a runner that it does not want. */
const REFUSALS: ReadonlySet<unknown> = new Set(['unauthenticated', 'forbidden', 'not-found']);

/** A refusal is told as the end of the command, and not on the way too. */
function withoutRefusal(log: CommandLog): CommandLog {
  return {
    ...log,
    error(facts, message) {
      const { err } = facts as { err?: unknown };
      if (!(err instanceof DragomanError && REFUSALS.has(err.code))) log.error(facts, message);
    },
  };
}

/** Why the hub does not want this runner, and what to do on which side. */
function toRefusal(error: unknown, url: string): unknown {
  if (!(error instanceof DragomanError)) return error;
  if (error.code === 'unauthenticated')
    return new DragomanError(
      'unauthenticated',
      `${url} rejected the token. Create one there with "dragoman token create NAME --role member" and pass it with DRAGOMAN_TOKEN or --token.`,
      { cause: error },
    );
  if (error.code === 'forbidden')
    return new DragomanError(
      'forbidden',
      `${url} does not allow this token to connect a machine: it needs the member or admin role, and a machine belongs to the user who first connected it.`,
      { cause: error },
    );
  return error;
}
