import {
  type AuthProvider,
  Client,
  type ElicitRequest,
  type ElicitResult,
  type FetchLike,
  ProtocolError,
  ProtocolErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import type { McpServerConfig, RemoteServerConfig, StdioServerConfig } from './mcp-config.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { UntrustedProject } from './untrusted-project.ts';

const LIST_CHANGE_SETTLES_MS = 50;
const OAUTH_REQUEST_MS = 30_000;
const GOODBYE_MS = 1000;

/** The lists a server may say have changed. */
export type McpList = 'tools' | 'prompts' | 'resources';

/** What a session needs, and whom it tells. */
export interface McpSessionOptions {
  settings: McpServerConfig;
  /** Where relative folders start, and where a server runs that names none. */
  cwd: string;
  untrusted: UntrustedProject | undefined;
  version: string;
  auth: AuthProvider | undefined;
  /** Ends the attempt to connect; a session that is open stays so. */
  signal: AbortSignal;
  onListChanged(list: McpList): void;
  /** It ended without being asked to. */
  onClose(reason: string): void;
  /** Something went wrong that need not be the end. */
  onError(error: Error): void;
  onStderr(text: string): void;
  /** What the server is answered when it asks a person something; absent where nobody can be asked. */
  onElicit?: ((params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>) | undefined;
}

/** An open connection to a server. */
export interface McpSession {
  client: Client;
  /** False when it does not answer any more. */
  isAlive(limitMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Connects to a server, over whatever it speaks.
 *
 * Streamable HTTP comes first, and SSE where that is refused. Servers are greeted as they have been since 2024; one
 * that speaks only the newer protocol says so, and is greeted again in that.
 */
export async function openMcpSession(options: McpSessionOptions): Promise<McpSession> {
  const { settings } = options;
  if ('command' in settings) {
    const start = () => stdioTransport(settings, options);
    return await connect(start(), 'legacy', options).catch((error: unknown) => {
      if (!speaksOnlyNewer(error)) throw error;
      return connect(start(), 'auto', options);
    });
  }
  const http = () => new StreamableHTTPClientTransport(new URL(settings.url), remoteOptions(settings, options.auth));
  // Deprecated, and still what many servers speak.
  // oxlint-disable-next-line typescript/no-deprecated
  const sse = () => new SSEClientTransport(new URL(settings.url), remoteOptions(settings, options.auth));
  if (settings.transport === 'sse') return await connect(sse(), 'legacy', options);
  try {
    return await connect(http(), 'legacy', options);
  } catch (error) {
    if (speaksOnlyNewer(error)) return await connect(http(), 'auto', options);
    if (settings.transport === 'http' || !isRefusal(error)) throw error;
    return await connect(sse(), 'legacy', options).catch((second: unknown) => {
      throw new Error(`${messageOf(error)}; and over SSE: ${messageOf(second)}`, { cause: second });
    });
  }
}

async function connect(
  transport: Transport,
  mode: VersionNegotiationMode,
  { version, signal, onListChanged, onClose, onError, onElicit }: McpSessionOptions,
): Promise<McpSession> {
  const changed = (list: McpList) => ({
    autoRefresh: false,
    debounceMs: LIST_CHANGE_SETTLES_MS,
    onChanged: () => onListChanged(list),
  });
  const client = new Client(
    { name: 'dragoman', version },
    {
      versionNegotiation: { mode },
      ...(onElicit !== undefined && { capabilities: { elicitation: { form: {}, url: {} } } }),
      listChanged: { tools: changed('tools'), prompts: changed('prompts'), resources: changed('resources') },
    },
  );
  if (onElicit !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => onElicit(params, mcpReq.signal));
  let isOpen = false;
  client.onerror = (error) => {
    if (isOpen) onError(error);
  };
  client.onclose = () => {
    const wasOpen = isOpen;
    isOpen = false;
    if (wasOpen) onClose(endingOf(transport) ?? 'the connection was closed');
  };
  try {
    await Promise.race([client.connect(transport, { signal }), rejectWhenAborted(signal)]);
  } catch (error) {
    await transport.close().catch(() => {});
    const ending = endingOf(transport);
    throw ending === undefined || signal.aborted ? error : new Error(`the server ${ending}`, { cause: error });
  }
  isOpen = true;
  return {
    client,
    isAlive: (limitMs) => isAlive(client, limitMs),
    async close() {
      isOpen = false;
      if (transport instanceof StreamableHTTPClientTransport)
        await Promise.race([
          transport.terminateSession().catch(() => {}),
          delay(GOODBYE_MS, undefined, { ref: false }),
        ]);
      await client.close().catch(() => {});
    },
  };
}

async function isAlive(client: Client, timeout: number): Promise<boolean> {
  try {
    await (client.getProtocolEra() === 'modern' ? client.discover({ timeout }) : client.ping({ timeout }));
    return true;
  } catch (error) {
    return error instanceof ProtocolError; // It answered, if only to say that it does not know the question.
  }
}

function stdioTransport(settings: StdioServerConfig, options: McpSessionOptions): StdioTransport {
  const { cwd, untrusted, onStderr } = options;
  const env = Object.entries(settings.env).map(([name, value]) => [name, value === '' ? '' : value.reveal()] as const);
  return new StdioTransport(
    {
      command: settings.command,
      env: Object.fromEntries(env),
      cwd: settings.cwd === undefined ? (untrusted?.startIn ?? cwd) : resolve(cwd, settings.cwd),
      outside: untrusted?.root,
    },
    onStderr,
  );
}

/**
 * Headers are added by the fetch itself, because the library would send its own `requestInit` to the authorisation
 * server too, and the keys in them are not for that one.
 */
function remoteOptions(settings: RemoteServerConfig, auth: AuthProvider | undefined) {
  const { origin } = new URL(settings.url);
  const given: FetchLike = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (new URL(input).origin === origin)
      for (const [name, value] of Object.entries(settings.headers))
        if (!headers.has(name)) headers.set(name, value.reveal());
    return await fetch(input, { ...init, headers, signal: init?.signal ?? AbortSignal.timeout(OAUTH_REQUEST_MS) });
  };
  return { fetch: given, ...(auth === undefined ? {} : { authProvider: auth }) };
}

/** The server does not know the transport; a refusal to let us in is another matter. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof SdkHttpError && error.status >= 400 && error.status < 500 && ![401, 403].includes(error.status)
  );
}

function speaksOnlyNewer(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof SdkHttpError)
    return JSON.stringify(cause.data).includes(`${ProtocolErrorCode.UnsupportedProtocolVersion}`);
  return cause instanceof ProtocolError && cause.code === Number(ProtocolErrorCode.UnsupportedProtocolVersion);
}

function endingOf(transport: Transport): string | undefined {
  return transport instanceof StdioTransport ? transport.ending : undefined;
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
