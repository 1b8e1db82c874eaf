import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import { activeTraceFields, Secret } from '@dragoman/server/base';
import { askMcpServer } from './ask-mcp-server.ts';
import type { McpCall } from './convert-mcp-tool.ts';
import { Elicitations } from './elicitation/elicitations.ts';
import { type McpCatalogue, mcpCatalogue } from './mcp-catalogue.ts';
import type { McpConfig, McpServerConfig } from './mcp-config.ts';
import { McpConnection } from './mcp-connection.ts';
import { forgetfulAuthStore, type McpAuthStore } from './mcp-credentials.ts';
import type { McpStatus } from './mcp-status.ts';
import { MCP_TIMING, type McpTiming } from './mcp-timing.ts';
import { type McpToolDefinition, mcpToolResultSchema } from './mcp-wire.ts';
import type { McpList } from './open-mcp-session.ts';
import { type McpToolRegistry, syncMcpTools } from './sync-mcp-tools.ts';
import type { UntrustedProject } from './untrusted-project.ts';

/** Something a person should know about a server. */
export interface McpProblem {
  server: string;
  message: string;
}

/** Where it is written down how things go. */
export interface McpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What the servers need, and whom they tell. */
export interface McpServersOptions {
  config(): McpConfig;
  registry: McpToolRegistry;
  log: McpLog;
  onProblem(problem: McpProblem): void;
  /** For screens: something about a server is different now. */
  onChange?(change: { server: string; what: 'status' | McpList }): void;
  /** Where logins are kept; without it they last as long as we do. */
  authStore?: McpAuthStore | undefined;
  /** Shows a person an address. Without it the address stands in the status. */
  openBrowser?: ((url: string) => void | Promise<void>) | undefined;
  /** Whether calls can ask people something; only then do servers hear that they may elicit. */
  canAskPeople?: boolean | undefined;
  /** The project: where servers are started that name no folder, and where relative ones begin. */
  cwd?: string;
  /** Said of a project that is not trusted. */
  untrusted?: UntrustedProject | undefined;
  version?: string;
  timing?: Partial<McpTiming>;
  now?(): number;
}

/** A server by name, and how it is doing. */
export type McpServerStatus = McpStatus & { name: string; tools: number };

/** A server with all that is known of it. The settings hold secrets. */
export interface KnownMcpServer {
  name: string;
  status: McpStatus;
  settings: McpServerConfig;
  tools: readonly McpToolDefinition[];
}

/** All MCP servers of the configuration. */
export interface McpServers extends McpCatalogue {
  status(): McpServerStatus[];
  /** Every server with its settings and tools, for who describes them. */
  known(): KnownMcpServer[];
  /** Waits until every server has been tried once, and no longer than this. */
  ready(timeoutMs: number): Promise<void>;
  /** Follows the configuration: new servers are opened, those gone or changed are closed. Cheap where nothing changed. */
  reload(): Promise<void>;
  /** Tries again now, which begins a login where one is needed. */
  login(server: string): Promise<McpServerStatus>;
  /** Forgets the login, and connects without it. */
  logout(server: string): Promise<McpServerStatus>;
  /** Ends all of them; no child process is left. */
  close(): Promise<void>;
}

/** As long as a timer can be: the call's own limit is the one that counts. */
const NO_LIMIT_MS = 2_147_483_647;

interface OpenServer {
  connection: McpConnection;
  settings: McpServerConfig;
  fingerprint: string;
}

/**
 * Opens the servers of the configuration and keeps their tools in the registry.
 *
 * It comes back at once; servers are connected side by side in the background, and one that fails does so alone.
 */
export function openMcpServers(options: McpServersOptions): McpServers {
  const { registry, log, onProblem, authStore = forgetfulAuthStore(), now = Date.now } = options;
  const timing = { ...MCP_TIMING, ...options.timing };
  const sync = syncMcpTools(registry, tell);
  const elicitations = new Elicitations(tell);
  let servers = new Map<string, OpenServer>();
  let config = options.config();
  let firstAttempts: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  void follow();

  function follow(): Promise<unknown> {
    const { mcp_timeout: timeoutBefore } = config;
    config = options.config();
    const before = servers;
    servers = new Map();
    const isNew: McpConnection[] = [];
    for (const [name, settings] of Object.entries(config.mcp)) {
      const fingerprint = fingerprintOf(settings);
      const old = before.get(name);
      if (old?.fingerprint === fingerprint) {
        servers.set(name, old);
        before.delete(name);
        continue;
      }
      const connection = open(name, settings);
      servers.set(name, { connection, settings, fingerprint });
      isNew.push(connection);
    }
    if (isNew.length > 0 || before.size > 0 || config.mcp_timeout !== timeoutBefore) syncTools();
    if (isNew.length > 0)
      firstAttempts = Promise.all([firstAttempts, ...isNew.map((connection) => connection.connect())]);
    return Promise.all([...before.values()].map(({ connection }) => connection.close()));
  }

  function open(name: string, settings: McpServerConfig): McpConnection {
    const connection: McpConnection = new McpConnection({
      name,
      settings,
      cwd: options.cwd ?? process.cwd(),
      untrusted: options.untrusted,
      version: options.version ?? '0.1.0',
      authStore,
      openBrowser: options.openBrowser,
      timing,
      now,
      onProblem: (message) => tell(name, message),
      onStderr: (text) => log.debug({ server: name }, text.trimEnd()),
      onElicit:
        options.canAskPeople === true ? (params, signal) => elicitations.answer(name, params, signal) : undefined,
      onChange(what) {
        if (servers.get(name)?.connection !== connection) return;
        if (what === 'tools') syncTools();
        const { state } = connection.status;
        if (what === 'status')
          log[state === 'connected' ? 'info' : 'debug']({ server: name }, `MCP server "${name}" is ${state}`);
        options.onChange?.({ server: name, what });
      },
    });
    return connection;
  }

  function syncTools(): void {
    if (isClosed) return;
    const offers = [...servers.values()].map(
      ({
        connection: {
          name,
          offers: { tools },
        },
        settings,
      }) => ({
        clientName: name,
        tools,
        timeoutMs: settings.timeout ?? config.mcp_timeout,
        call: (toolName: string) => callOf(name, toolName),
      }),
    );
    sync(offers);
  }

  function callOf(server: string, toolName: string): McpCall {
    return async (input, { signal, onProgress, person }) => {
      const trace = activeTraceFields();
      const leave = person && elicitations.enter(server, { ...person, signal });
      try {
        return await askMcpServer(connectionOf(server), {
          method: 'tools/call',
          params: { name: toolName, arguments: input, ...(trace && { _meta: trace }) },
          schema: mcpToolResultSchema,
          signal,
          timeoutMs: NO_LIMIT_MS,
          onProgress,
        });
      } finally {
        leave?.();
      }
    };
  }

  function tell(server: string, message: string): void {
    log.warn({ server }, `MCP server "${server}": ${message}`);
    onProblem({ server, message });
  }

  function connectionOf(name: string): McpConnection {
    const server = servers.get(name);
    if (server === undefined)
      throw new DragomanError(
        'not-found',
        `there is no MCP server "${name}"; known are: ${[...servers.keys()].join(', ')}`,
      );
    return server.connection;
  }

  function statusOf({ name, offers, status }: McpConnection): McpServerStatus {
    return { name, tools: offers.tools.length, ...status };
  }

  const connections = () => [...servers.values()].map(({ connection }) => connection);
  const catalogue = mcpCatalogue({
    connections,
    async ask(name, question, signal = new AbortController().signal) {
      const timeoutMs = servers.get(name)?.settings.timeout ?? config.mcp_timeout;
      return await askMcpServer(connectionOf(name), { ...question, signal, timeoutMs });
    },
    onProblem: tell,
  });

  return {
    ...catalogue,
    status: () => connections().map(statusOf),
    known: () =>
      [...servers.values()].map(({ connection: { name, status, offers }, settings }) => ({
        name,
        status,
        settings,
        tools: offers.tools,
      })),
    async ready(timeoutMs) {
      await Promise.race([firstAttempts, delay(timeoutMs, undefined, { ref: false })]);
    },
    async reload() {
      await follow();
    },
    async login(server) {
      await connectionOf(server).connect();
      return statusOf(connectionOf(server));
    },
    async logout(server) {
      const settings = servers.get(server)?.settings;
      const connection = connectionOf(server);
      await connection.forgetLogin();
      await connection.close();
      if (settings !== undefined) {
        const next = open(server, settings);
        servers.set(server, { connection: next, settings, fingerprint: fingerprintOf(settings) });
        await next.connect();
      }
      return statusOf(connectionOf(server));
    },
    async close() {
      isClosed = true;
      await Promise.all(connections().map((connection) => connection.close()));
    },
  };
}

/** Tells settings apart, secrets included; it is compared and never shown. */
function fingerprintOf(settings: McpServerConfig): string {
  return JSON.stringify(settings, function (this: Record<string, unknown>, key, value: unknown) {
    const given = this[key];
    return given instanceof Secret ? given.reveal() : value;
  });
}
