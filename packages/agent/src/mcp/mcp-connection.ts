import type { AuthProvider, Client } from '@modelcontextprotocol/client';
import type { z } from 'zod';
import { ToolError } from '../tools/tool.ts';
import { listAll } from './list-all.ts';
import { LoginNeededError } from './login-needed-error.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { McpServerConfig } from './mcp-config.ts';
import { credentialsOf, type McpAuthStore } from './mcp-credentials.ts';
import { describeAbsence, type McpStatus } from './mcp-status.ts';
import {
  type McpPrompt,
  mcpPromptSchema,
  type McpResource,
  mcpResourceSchema,
  type McpToolDefinition,
  mcpToolSchema,
} from './mcp-wire.ts';
import type { McpList, McpSession } from './open-mcp-session.ts';

/** How long things may take, in milliseconds. */
export interface McpTiming {
  /** Until a server is connected and has listed its tools. */
  connectMs: number;
  /** How long a call waits for a server that is being connected. */
  callWaitMs: number;
  /** How long a person has to log in. */
  loginMs: number;
  /** Before the next attempt, after so many that failed. */
  reconnectMs(failures: number): number;
}

/** What a connection needs, and whom it tells. */
export interface McpConnectionOptions {
  name: string;
  settings: McpServerConfig;
  cwd: string;
  version: string;
  authStore: McpAuthStore;
  openBrowser: ((url: string) => void | Promise<void>) | undefined;
  timing: McpTiming;
  now(): number;
  /** `tools` before anything else: with them it is connected. */
  onChange(what: 'status' | McpList): void;
  onProblem(message: string): void;
  onStderr(text: string): void;
}

/** A connection that lasted this long was a good one: the next loss begins with a short wait again. */
const GOOD_CONNECTION_MS = 30_000;
const ALIVE_MS = 5000;

/**
 * One server: connected in the background, and again whenever it goes away.
 *
 * What it offers stays listed while it is away, because it will most likely be back; a call in the meantime waits a
 * little and then says so.
 */
export class McpConnection {
  readonly name: string;
  tools: readonly McpToolDefinition[] = [];
  prompts: readonly McpPrompt[] = [];
  /** What the server says about itself, for the system prompt. */
  instructions: string | undefined;

  readonly #options: McpConnectionOptions;
  readonly #ending = new AbortController();
  #status: McpStatus;
  #session: McpSession | undefined;
  #attempt: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #connectedAt = 0;
  #checking = false;
  #auth: AuthProvider | undefined;
  #resources: Promise<readonly McpResource[]> | undefined;
  #waiting = new Set<() => void>();
  #lastProblem: string | undefined;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
    this.name = options.name;
    this.#status = options.settings.enabled ? { state: 'connecting' } : { state: 'disabled' };
  }

  get status(): McpStatus {
    return this.#status;
  }

  /** Tries now, if it is not connected and not trying already. Never throws; how it went is in the status. */
  async connect(): Promise<void> {
    if (this.#status.state === 'disabled' || this.#ending.signal.aborted || this.#session !== undefined) return;
    clearTimeout(this.#timer);
    this.#attempt ??= this.#connect().finally(() => {
      this.#attempt = undefined;
    });
    await this.#attempt;
  }

  /** The client, once it is connected. Throws `ToolError` when that takes too long. */
  async ready(signal: AbortSignal): Promise<Client> {
    const isHopeless = ['disabled', 'needs-login'].includes(this.#status.state) || this.#ending.signal.aborted;
    if (this.#session === undefined && !isHopeless) {
      void this.connect();
      await this.#changed(signal);
    }
    if (this.#session !== undefined) return this.#session.client;
    throw new ToolError(`The MCP server "${this.name}" ${describeAbsence(this.#status)}`);
  }

  /** What it has to read, asked for when wanted and kept until it changes. */
  resources(signal: AbortSignal): Promise<readonly McpResource[]> {
    const listed = (this.#resources ??= this.ready(signal).then((client) =>
      client.getServerCapabilities()?.resources === undefined
        ? []
        : this.#list(client, 'resources/list', 'resources', mcpResourceSchema),
    ));
    listed.catch(() => {
      if (this.#resources === listed) this.#resources = undefined;
    });
    return listed;
  }

  /** A request failed: finds out whether the server is gone, and comes back to it if it is. */
  async doubt(): Promise<void> {
    const session = this.#session;
    if (session === undefined || this.#checking) return;
    this.#checking = true;
    try {
      if (!(await session.isAlive(ALIVE_MS))) this.lose(session.client, 'it does not answer any more');
    } finally {
      this.#checking = false;
    }
  }

  /** This session is over. The next attempt follows by itself. */
  lose(client: Client, reason: string): void {
    const session = this.#session;
    if (session?.client !== client) return;
    this.#session = undefined;
    this.#resources = undefined;
    void session.close();
    if (this.#options.now() - this.#connectedAt >= GOOD_CONNECTION_MS) this.#failures = 0;
    this.#fail(reason);
  }

  /** In the middle of a session it wants a login. */
  needLogin(client: Client, url: string): void {
    const session = this.#session;
    if (session?.client !== client) return;
    this.#session = undefined;
    void session.close();
    this.#set({ state: 'needs-login', url });
  }

  /** Forgets the login, so that the next attempt asks for a new one. */
  async forgetLogin(): Promise<void> {
    const { settings, authStore } = this.#options;
    this.#auth = undefined;
    if ('url' in settings) await credentialsOf(authStore, this.name, settings.url).forget();
  }

  /** Ends it for good. A server that is a child process is gone when this is done. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('it is being closed'));
    clearTimeout(this.#timer);
    await this.#attempt;
    const session = this.#session;
    this.#session = undefined;
    this.#wake();
    await session?.close();
  }

  async #connect(): Promise<void> {
    this.#set({ state: 'connecting' });
    const { connectMs } = this.#options.timing;
    const limit = AbortSignal.timeout(connectMs);
    const signal = AbortSignal.any([limit, this.#ending.signal]);
    let session: McpSession | undefined;
    let ending: string | undefined;
    const missed = new Set<McpList>();
    try {
      // The library is loaded when the first server is connected, and not at all when there is none.
      const { openMcpSession } = await import('./open-mcp-session.ts');
      const opened = (session = await openMcpSession({
        ...this.#options,
        auth: await this.#authProvider(),
        signal,
        onStderr: (text) => this.#options.onStderr(this.#masked(text)),
        onListChanged: (list) => void (this.#session === opened ? this.#refresh(list) : missed.add(list)),
        onClose: (reason) => {
          ending = reason;
          this.lose(opened.client, reason);
        },
        onError: () => void this.doubt(),
      }));
      await this.#listOffers(opened.client, signal);
      signal.throwIfAborted();
      this.#session = opened;
      this.#connectedAt = this.#options.now();
      this.#lastProblem = undefined;
      this.#set({ state: 'connected' });
      for (const list of missed) void this.#refresh(list);
    } catch (error) {
      await session?.close();
      if (this.#ending.signal.aborted) return;
      if (error instanceof LoginNeededError) this.#set({ state: 'needs-login', url: error.url });
      else this.#fail(limit.aborted ? `it was not connected within ${connectMs} ms` : (ending ?? messageOf(error)));
    }
  }

  async #listOffers(client: Client, signal: AbortSignal): Promise<void> {
    const offers = client.getServerCapabilities();
    const [tools, prompts] = await Promise.all([
      offers?.tools === undefined ? [] : this.#list(client, 'tools/list', 'tools', mcpToolSchema, signal),
      offers?.prompts === undefined
        ? []
        : this.#list(client, 'prompts/list', 'prompts', mcpPromptSchema, signal).catch((error: unknown) => {
            this.#tell(`its prompts cannot be listed: ${messageOf(error)}`);
            return [];
          }),
    ]);
    this.instructions = client.getInstructions();
    this.tools = tools;
    this.prompts = prompts;
    this.#options.onChange('tools');
    this.#options.onChange('prompts');
  }

  async #refresh(list: McpList): Promise<void> {
    const client = this.#session?.client;
    if (client === undefined) return;
    try {
      if (list === 'tools') this.tools = await this.#list(client, 'tools/list', 'tools', mcpToolSchema);
      if (list === 'prompts') this.prompts = await this.#list(client, 'prompts/list', 'prompts', mcpPromptSchema);
      if (list === 'resources') this.#resources = undefined;
      this.#options.onChange(list);
    } catch (error) {
      this.#tell(`its ${list} changed and cannot be listed again: ${messageOf(error)}`);
    }
  }

  #list<Entry>(client: Client, method: string, key: string, schema: z.ZodType<Entry>, signal = this.#ending.signal) {
    const onProblem = (message: string): void => this.#tell(message);
    return listAll(client, { method, key, schema, signal, timeoutMs: this.#options.timing.connectMs, onProblem });
  }

  async #authProvider(): Promise<AuthProvider | undefined> {
    const { settings, authStore, timing, openBrowser, name } = this.#options;
    if (!('url' in settings) || settings.oauth === false) return undefined;
    // A key that was given by hand and is refused is a mistake to be told, not a reason to log in.
    const hasKey = Object.keys(settings.headers).some((header) => header.toLowerCase() === 'authorization');
    if (hasKey && settings.oauth === undefined) return undefined;
    const { mcpOAuth } = await import('./mcp-oauth.ts');
    return (this.#auth ??= mcpOAuth({
      settings: settings.oauth ?? {},
      credentials: credentialsOf(authStore, name, settings.url),
      limitMs: timing.loginMs,
      signal: this.#ending.signal,
      openBrowser,
      onFinished: (error) => void this.#loginFinished(error),
    }));
  }

  async #loginFinished(error: Error | undefined): Promise<void> {
    await this.#attempt; // The one that asked for the login has its say first.
    if (this.#ending.signal.aborted) return;
    if (error === undefined) {
      this.#failures = 0;
      await this.connect();
      return;
    }
    this.#tellOnce(`the login did not succeed: ${error.message}`);
    this.#set({ state: 'needs-login' });
  }

  #fail(reason: string): void {
    if (this.#ending.signal.aborted) return;
    this.#failures += 1;
    this.#tellOnce(reason);
    this.#set({ state: 'failed', reason: this.#masked(reason) });
    this.#timer = setTimeout(() => void this.connect(), this.#options.timing.reconnectMs(this.#failures)).unref();
  }

  /** A server that stays away is told once, and not every minute. */
  #tellOnce(reason: string): void {
    if (reason === this.#lastProblem) return;
    this.#lastProblem = reason;
    this.#tell(reason);
  }

  #tell(message: string): void {
    this.#options.onProblem(this.#masked(message));
  }

  #masked(text: string): string {
    return maskSecrets(text, this.#options.settings);
  }

  #set(status: McpStatus): void {
    this.#status = status;
    if (status.state !== 'connecting') this.#wake();
    this.#options.onChange('status');
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Waits until the attempt under way is over, for a while. */
  async #changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.timing.callWaitMs);
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
