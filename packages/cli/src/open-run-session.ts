import { type Agent, findRoot, type SessionRunner } from '@dragoman/agent';
import { DragomanError } from '@dragoman/protocol';
import { ONE_OFF_NAME } from './one-off-provider.ts';

/** Which session a run goes on with, and what it changes in it. */
export interface RunSessionOptions {
  continue?: boolean;
  session?: string;
  fork?: boolean;
  agent?: string;
  model?: string | undefined;
}

/** Who has a say before a session is worked on. */
export interface RunSessionHooks {
  /** Told which session of earlier is opened, before it is. */
  onKnown?: (sessionID: string) => Promise<void>;
  onFork?: (fork: SessionRunner) => Promise<void>;
}

/** A new session, the latest one of this project, or a named one; or a fork of either, which is told before it changes. */
export async function openRunSession(
  agent: Agent,
  cwd: string,
  options: RunSessionOptions,
  hooks: RunSessionHooks = {},
): Promise<SessionRunner> {
  const changes = { model: options.model, agent: options.agent };
  const id = options.session ?? (options.continue === true ? await latestSession(agent, cwd) : undefined);
  if (id === undefined) {
    if (options.fork === true)
      throw new DragomanError('bad-request', '--fork needs a session: add --continue or --session.');
    return agent.create({ cwd, ...changes });
  }
  await hooks.onKnown?.(id);
  const known = await agent.open(id);
  if (options.agent !== undefined) (await agent.workplaceOf(known)).agent(options.agent);
  checkModel(agent, known, options.model);
  if (options.fork !== true) return agent.open(id, changes);
  const fork = await agent.fork(id);
  await known.close();
  await hooks.onFork?.(fork);
  return agent.open(fork.id, changes);
}

async function latestSession(agent: Agent, cwd: string): Promise<string> {
  const root = findRoot(cwd);
  const [latest] = await agent.list({ root, limit: 1 });
  if (latest === undefined) throw new DragomanError('not-found', `There is no session in ${root} to continue.`);
  return latest.id;
}

/** A session remembers its model; that may have been there for one run only, or be gone. */
function checkModel(agent: Agent, { state: { info } }: SessionRunner, given: string | undefined): void {
  const { providerID, modelID, route = `${providerID}/${modelID}` } = info.model;
  try {
    agent.model(given ?? route);
  } catch (cause) {
    if (given !== undefined) throw cause;
    const again = providerID === ONE_OFF_NAME ? ', or pass its --base-url again' : '';
    throw new DragomanError(
      'not-found',
      `Session ${info.id} used the model "${route}", which is no longer available. Choose one with --model${again}.`,
      { cause },
    );
  }
}
