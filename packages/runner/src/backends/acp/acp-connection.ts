import type { InitializeRequest } from '@agentclientprotocol/sdk';
import { DragomanError } from '@dragoman/protocol';
import { type ChildAgent, type ChildEnding, startChildAgent } from '../../backend/child-agent.ts';
import { type Fields, fieldsIn, listIn, toFields } from '../../backend/fields.ts';
import { JsonRpcConnection, JsonRpcError } from '../../backend/json-rpc.ts';
import { shownCommand } from '../../backend/shown-command.ts';
import type { RunnerLog } from '../../runner-log.ts';
import type { AcpAgent } from './acp-agent.ts';
import { describeRpcError } from './describe-login.ts';

const PROTOCOL_VERSION = 1;
/** Agents are large programs, and machines are busy. */
const START_LIMIT_MS = 120_000;

const HELLO: InitializeRequest = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    // An agent that knows it tells which command logs a person in; nobody runs it here.
    auth: { terminal: true },
    session: { notices: {}, compaction: {} },
    _meta: { 'terminal-auth': true },
  },
  clientInfo: { name: 'dragoman', title: 'Dragoman', version: '0.1.0' },
};

/** A running agent that said hello. */
export interface AcpConnection {
  rpc: JsonRpcConnection;
  child: ChildAgent;
  /** What the agent can do, as it told. */
  capabilities: Fields;
  authMethods: readonly Fields[];
}

/** Who takes what the agent says and asks. */
export interface AcpConnectionOptions {
  agent: AcpAgent;
  cwd: string;
  log: RunnerLog;
  onRequest: (method: string, params: Fields, signal: AbortSignal) => Promise<unknown>;
  onNotification: (method: string, params: Fields) => void;
  /** Once, when it is gone, with the error that everything that waited for it fails with. */
  onGone: (error: DragomanError) => void;
  signal: AbortSignal;
}

/** Starts the agent and says hello. An agent that does not answer is stopped. */
export async function connectAcp(options: AcpConnectionOptions): Promise<AcpConnection> {
  const { agent, cwd, log, signal } = options;
  const child: ChildAgent = await startChildAgent({
    command: agent.command,
    cwd,
    env: agent.env,
    installHint: agent.install,
    onLine: (line) => rpc.receive(line),
    onExit(ending) {
      const error = goneError(agent, ending);
      rpc.close(error);
      options.onGone(error);
    },
  });
  const rpc: JsonRpcConnection = new JsonRpcConnection({
    peer: agent.title,
    write: (line) => child.write(line),
    onRequest: (method, params, closing) => options.onRequest(method, toFields(params), closing),
    onNotification: (method, params) => options.onNotification(method, toFields(params)),
    onProblem: (problem) => log.debug({ agent: agent.title }, problem),
    requestLimitMs: START_LIMIT_MS,
  });
  try {
    const hello = toFields(await rpc.request('initialize', HELLO, { signal }));
    checkVersion(agent, hello['protocolVersion']);
    return {
      rpc,
      child,
      capabilities: fieldsIn(hello, 'agentCapabilities'),
      authMethods: listIn(hello, 'authMethods'),
    };
  } catch (error) {
    await child.stop();
    throw error instanceof JsonRpcError
      ? new DragomanError(
          'unavailable',
          `${agent.title} refused to start a conversation: ${describeRpcError(error)}; does "${shownCommand(agent.command)}" speak ACP?`,
          { cause: error },
        )
      : error;
  }
}

/** An agent that leaves the version out is taken at its word that it speaks the protocol. */
function checkVersion(agent: AcpAgent, version: unknown): void {
  if (version === undefined || version === null || version === PROTOCOL_VERSION) return;
  throw new DragomanError(
    'unavailable',
    `${agent.title} speaks version ${JSON.stringify(version)} of ACP, and version ${PROTOCOL_VERSION} is spoken here; install a release of it that speaks that`,
  );
}

function goneError(agent: AcpAgent, ending: ChildEnding): DragomanError {
  return new DragomanError('unavailable', `${agent.title} (${shownCommand(agent.command)}) ${ending.text}`, {
    isRetryable: true,
  });
}
