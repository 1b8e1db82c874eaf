import * as acp from '@agentclientprotocol/sdk';
import type { Agent } from '../open-agent.ts';
import type { Approver } from '../permissions/approval.ts';
import { AcpServer } from './acp-server.ts';
import { toRequestError } from './to-request-error.ts';

/** What a client is served with. */
interface AcpHost {
  agent: Agent;
  /** The names of models that can be chosen. */
  models?: (() => readonly string[]) | undefined;
}

/** Who is served, with what, and over which streams. */
export interface ServeAcpOptions {
  /**
   * Opens the agent for as long as `use` runs, and closes it after. The agent asks the client by the approver it is given,
   * so it cannot be there before the connection is thought of.
   */
  withAgent: (approver: Approver, use: (host: AcpHost) => Promise<void>) => Promise<void>;
  input: ReadableStream<Uint8Array>;
  output: WritableStream<Uint8Array>;
  version: string;
  /** Ends the service as if the client had gone. */
  signal?: AbortSignal | undefined;
  /** Told what no client can be told: faults of our own, and a connection that broke. */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves one client over the Agent Client Protocol until it goes away. By then everything it started has ended: turns
 * are called off, sessions are stored and free for others, and no child is left.
 */
export async function serveAcp(options: ServeAcpOptions): Promise<void> {
  const { withAgent, input, output, version, signal, onError = () => {} } = options;
  let server: AcpServer | undefined;
  await withAgent(
    (request, asked) => server?.ask(request, asked) ?? Promise.resolve({ decision: 'reject' }),
    async ({ agent, models = () => [] }) => {
      const underWay = new Set<Promise<unknown>>();
      const app = answerRequests(() => server!, { onError, underWay });
      app.onConnect(({ client }) => {
        server = new AcpServer({ agent, models, client, version, onError });
      });
      const connection = app.connect(acp.ndJsonStream(output, input));
      const end = () => connection.close();
      if (signal?.aborted === true) end();
      signal?.addEventListener('abort', end, { once: true });
      await connection.closed;
      signal?.removeEventListener('abort', end);
      const reason: unknown = connection.signal.reason;
      if (isFault(reason)) onError(reason);
      await server?.close();
      await Promise.allSettled(underWay);
      await server?.close(); // What was being opened when the client went.
    },
  );
}

interface Answering {
  onError: (error: unknown) => void;
  underWay: Set<Promise<unknown>>;
}

function answerRequests(server: () => AcpServer, answering: Answering): acp.AgentApp {
  const answer = <Params, Result>(
    method: (context: { params: Params; signal: AbortSignal }) => Result | Promise<Result>,
  ) => answerer(method, answering);
  return (
    acp
      .agent({ name: 'dragoman' })
      .onRequest(
        'initialize',
        answer(({ params }) => server().initialize(params)),
      )
      // Keys of models are the agent's own affair.
      .onRequest(
        'authenticate',
        answer(() => ({})),
      )
      .onRequest(
        'session/new',
        answer(({ params }) => server().create(params)),
      )
      .onRequest(
        'session/load',
        answer(({ params }) => server().load(params)),
      )
      .onRequest(
        'session/resume',
        answer(({ params }) => server().resume(params)),
      )
      .onRequest(
        'session/list',
        answer(({ params }) => server().list(params)),
      )
      .onRequest(
        'session/close',
        answer(({ params }) => server().closeSession(params.sessionId)),
      )
      .onRequest(
        'session/delete',
        answer(({ params }) => server().remove(params.sessionId)),
      )
      .onRequest(
        'session/prompt',
        answer(({ params, signal }) => server().session(params.sessionId).prompt(params.prompt, signal)),
      )
      .onRequest(
        'session/set_mode',
        answer(({ params }) => server().session(params.sessionId).setMode(params.modeId)),
      )
      .onRequest(
        'session/set_config_option',
        answer(async ({ params }) => {
          const session = server().session(params.sessionId);
          await session.setOption(params.configId, params.value);
          return { configOptions: session.describe().configOptions ?? [] };
        }),
      )
      .onNotification(
        'session/cancel',
        answer(({ params }) => server().cancel(params.sessionId)),
      )
  );
}

/** Says in the protocol's words what went wrong, and remembers what is still being answered. */
function answerer<Context, Result>(
  method: (context: Context) => Result | Promise<Result>,
  { onError, underWay }: Answering,
): (context: Context) => Promise<Result> {
  return async (context) => {
    const answering = (async () => method(context))();
    underWay.add(answering);
    try {
      return await answering;
    } catch (error) {
      const told = toRequestError(error);
      if (told.code === -32603) onError(error);
      throw told;
    } finally {
      underWay.delete(answering);
    }
  };
}

/** A connection that was closed in good order has an error of its own that says so. */
function isFault(reason: unknown): boolean {
  return reason instanceof Error && reason.message !== 'ACP connection closed';
}
