import { homedir } from 'node:os';
import { openAgent } from '@dragoman/agent';
import { describeWorkplace, explainCall, isTrusted, testMcpServer, untrustedProject } from '@dragoman/agent/inspect';
import { DragomanError } from '@dragoman/protocol';
import { WORKPLACE_CALLS } from '@dragoman/protocol/console-calls';
import { clientSignal, readCall } from '@dragoman/server';
import { mcpAuth } from '../mcp-auth-store.ts';
import { AgentChecks } from './agent-checks.ts';
import { chooseWorkplaceFolder } from './choose-workplace-folder.ts';
import type { LazyWorkplaceOptions } from './lazy-workplace.ts';
import { readDraft } from './read-draft.ts';
import { toPermissionAnswer } from './to-permission-answer.ts';
import { type OpenedWorkplace, VisitedWorkplaces } from './visited-workplaces.ts';
import type { WorkplaceHandlers } from './workplace-plugin.ts';

/** The name that a server which is tried would have. */
const TRIED = 'tried';

/** What answers the calls of the workplace, and how all that it opened is closed. */
export function openWorkplaceHandlers(options: LazyWorkplaceOptions): {
  handlers: WorkplaceHandlers;
  close(): Promise<void>;
} {
  const { setup, config, stopping } = options;
  const visited = new VisitedWorkplaces({
    open: (folder) => openToLook(folder, options),
    version: () => JSON.stringify(config().agent),
  });
  const checks = new AgentChecks(options);
  const folderOf = (given: string | undefined) => chooseWorkplaceFolder(given, () => config().runner.folders);

  const handlers: WorkplaceHandlers = {
    async readWorkplace(request) {
      const { query } = readCall(WORKPLACE_CALLS, 'readWorkplace', request);
      const { disabled } = config().agent.tools;
      return visited.visit(await folderOf(query.folder), (workplace) => describeWorkplace(workplace, { disabled }));
    },
    async explainPermission(request) {
      const { body } = readCall(WORKPLACE_CALLS, 'explainPermission', request);
      const { agent, tools } = config().agent;
      return visited.visit(await folderOf(body.folder), async (workplace) =>
        toPermissionAnswer(
          await explainCall(workplace, {
            tool: body.tool,
            words: body.value === '' ? [] : [body.value],
            agent: body.agent ?? agent,
            disabled: tools.disabled,
          }),
        ),
      );
    },
    async testMcpServer(request, reply) {
      const { body } = readCall(WORKPLACE_CALLS, 'testMcpServer', request);
      const { mcp } = readDraft(setup.source, { path: ['mcp', TRIED], value: body.server, field: 'server' });
      const signal = AbortSignal.any([clientSignal(reply), stopping]);
      const cwd = await folderOf(undefined);
      const isOwn = isTrusted(cwd, config().agent.tools.trustedProjects, homedir());
      const untrusted = isOwn ? undefined : untrustedProject(cwd, setup.folder.path);
      return testMcpServer({ settings: mcp[TRIED]!, cwd, untrusted, signal });
    },
    async checkAgent(request, reply) {
      const { body } = readCall(WORKPLACE_CALLS, 'checkAgent', request);
      const folder = body.folder === undefined ? undefined : await folderOf(body.folder);
      return checks.check({ ...body, folder, signal: AbortSignal.any([clientSignal(reply), stopping]) });
    },
  };
  return {
    handlers,
    async close() {
      await checks.close();
      await visited.close();
    },
  };
}

/** An agent to look at, beside the one that sessions work with: it has the same tables and rules, and no sessions. */
async function openToLook(folder: string, { store, setup, config }: LazyWorkplaceOptions): Promise<OpenedWorkplace> {
  const nothing = () => new DragomanError('unavailable', 'Nothing is asked of a model or an index here.');
  const { store: logins } = mcpAuth({ secretsFile: setup.folder.secretsFile });
  const agent = openAgent({
    store,
    folder: setup.folder.path,
    config,
    referredEnv: () => setup.config.environmentNames,
    openModel: () => {
      throw nothing();
    },
    codeSearch: () => Promise.reject(nothing()),
    mcpAuth: { store: logins }, // Where to log in is told to who looks, and not printed.
    log: { debug() {}, info() {}, warn() {} }, // What is wrong is in the answer.
  });
  try {
    return { workplace: await agent.workplace(folder), close: () => agent.close() };
  } catch (error) {
    await agent.close();
    throw error;
  }
}
