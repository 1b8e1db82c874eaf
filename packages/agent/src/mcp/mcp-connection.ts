import type { AuthProvider, Client } from '@modelcontextprotocol/client';
import { ToolError } from '../tools/tool.ts';
import { LoginNeededError } from './login-needed-error.ts';
import { mcpTarget } from './mcp-target.ts';
import type { McpServerConfig } from './mcp-config.ts';
import { credentialsOf, type McpAuthStore } from './mcp-credentials.ts';
import { describeAbsence, type McpStatus } from './mcp-status.ts';
import type { McpTiming } from './mcp-timing.ts';
import type { McpResource } from './mcp-wire.ts';
import { openMcpLogin } from './open-mcp-login.ts';
import type { McpList, McpSession, McpSessionOptions } from './open-mcp-session.ts';
import { ServerOffers } from './server-offers.ts';
import type { UntrustedProject } from './untrusted-project.ts';
import { WatchedStatus } from './watched-status.ts';

/** What a connection needs, and whom it tells. */
export interface McpConnectionOptions {
  name: string;
  settings: McpServerConfig;
  cwd: string;
  untrusted: UntrustedProject | undefined;
  version: string;
  authStore: McpAuthStore;
  openBrowser: ((url: string) => void | Promise<void>) | undefined;
  timing: McpTiming;
  now(): number;
  /** `tools` before anything else: with them it is connected. */
  onChange(what: 'status' | McpList): void;
  onProblem(message: string): void;
  onStderr(text: string): void;
  onElicit?: McpSessionOptions['onElicit'];
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
  readonly offers: ServerOffers;

  readonly #options: McpConnectionOptions;
  readonly #ending = new AbortController();
  readonly #status: WatchedStatus;
  #session: McpSession | undefined;
  #attempt: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #connectedAt = 0;
  #checking = false;
  #auth: AuthProvider | undefined;
  #lastProblem: string | undefined;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
    this.name = options.name;
    this.#status = new WatchedStatus({ state: options.settings.enabled ? 'connecting' : 'disabled' }, () =>
      options.onChange('status'),
    );
    this.offers = new ServerOffers({
      timeoutMs: options.timing.connectMs,
      ending: this.#ending.signal,
      onChange: (what) => options.onChange(what),
      onProblem: (message) => this.#tell(message),
    });
  }

  get status(): McpStatus {
    return this.#status.current;
  }

  /** Tries now, if it is not connected and not trying already. Never throws; how it went is in the status. */
  async connect(): Promise<void> {
    if (this.status.state === 'disabled' || this.#ending.signal.aborted || this.#session !== undefined) return;
    clearTimeout(this.#timer);
    this.#attempt ??= this.#connect().finally(() => {
      this.#attempt = undefined;
    });
    await this.#attempt;
  }

  /** The client, once it is connected. Throws `ToolError` when that takes too long. */
  async ready(signal: AbortSignal): Promise<Client> {
    const isHopeless = ['disabled', 'needs-login'].includes(this.status.state) || this.#ending.signal.aborted;
    if (this.#session === undefined && !isHopeless) {
      void this.connect();
      await this.#status.settled(this.#options.timing.callWaitMs, signal);
    }
    if (this.#session !== undefined) return this.#session.client;
    throw new ToolError(`The MCP server "${this.name}" ${describeAbsence(this.status)}`);
  }

  /** What it has to read, asked for when wanted and kept until it changes. */
  resources(signal: AbortSignal): Promise<readonly McpResource[]> {
    return this.offers.resources(() => this.ready(signal));
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
    this.offers.forgetResources();
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
    this.#status.set({ state: 'needs-login', url });
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
    this.#status.wake();
    await session?.close();
  }

  async #connect(): Promise<void> {
    this.#status.set({ state: 'connecting' });
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
      await this.offers.list(opened.client, signal);
      signal.throwIfAborted();
      this.#session = opened;
      this.#connectedAt = this.#options.now();
      this.#lastProblem = undefined;
      this.#status.set({ state: 'connected' });
      for (const list of missed) void this.#refresh(list);
    } catch (error) {
      await session?.close();
      if (this.#ending.signal.aborted) return;
      if (error instanceof LoginNeededError) this.#status.set({ state: 'needs-login', url: error.url });
      else this.#fail(limit.aborted ? `it was not connected within ${connectMs} ms` : (ending ?? messageOf(error)));
    }
  }

  async #refresh(list: McpList): Promise<void> {
    if (this.#session !== undefined) await this.offers.refresh(this.#session.client, list);
  }

  async #authProvider(): Promise<AuthProvider | undefined> {
    return (this.#auth ??= await openMcpLogin({
      ...this.#options,
      limitMs: this.#options.timing.loginMs,
      signal: this.#ending.signal,
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
    this.#status.set({ state: 'needs-login' });
  }

  #fail(reason: string): void {
    if (this.#ending.signal.aborted) return;
    this.#failures += 1;
    this.#tellOnce(reason);
    this.#status.set({ state: 'failed', reason: this.#masked(reason) });
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
    return mcpTarget(this.#options.settings).hide(text);
  }
}

/** What the library says leaves out the number of an answer, and why an address could not be reached. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = 'status' in error && typeof error.status === 'number' ? `HTTP ${error.status}: ` : '';
  if (error.message !== 'fetch failed' || !(error.cause instanceof Error)) return `${status}${error.message}`;
  // Where several addresses were tried, only the code says why.
  const { message, code = 'unknown' } = error.cause as NodeJS.ErrnoException;
  return `it cannot be reached: ${message === '' ? code : message}`;
}
