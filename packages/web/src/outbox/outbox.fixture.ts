import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import type * as OutboxStore from './outbox-store.ts';
import type * as Outbox from './outbox.ts';

/** What the server was told, as `POST path id`. */
interface ToldServer {
  /** Every call that reached it, but for who is logged in. */
  told: string[];
  /** What it did: each once. */
  done: string[];
  /** Who the browser is logged in as. */
  userId: string;
  /** How it answers a call; it does what it is told unless given. Nothing breaks the connection. */
  answer: (call: string) => Promise<{ status: number; body: object } | undefined>;
}

/** What a browser keeps of its pages' things, and what tells them of each other. */
interface Browser {
  server: ToldServer;
  /** Opens the console once more, as somebody. Its modules are its own, as in a page. */
  openPage(userId?: string): Promise<Page>;
  storage: Record<string, string>;
  /** Whether there is room for more, and whether it can be used at all. */
  room: { isFull: boolean; isOff: boolean };
}

type Page = typeof Outbox &
  typeof OutboxStore & {
    /** The stream to the server is there again. */
    comeBack: () => void;
    close: () => void;
  };

/** The way to a server, before a page has its own. */
const reach = globalThis.fetch;

/** A browser with a server behind it. */
export async function openBrowser(): Promise<Browser> {
  const server = await serveTold();
  const windows = new Set<EventTarget>();
  const storage: Record<string, string> = {};
  const room = { isFull: false, isOff: false };
  const tell = (key: string) => {
    for (const window of windows) window.dispatchEvent(Object.assign(new Event('storage'), { key }));
  };
  const methods: Record<string, (key: string, value: string) => unknown> = {
    getItem: (key) => storage[key] ?? null,
    setItem(key, value) {
      if (room.isFull) throw new DOMException('There is no room.', 'QuotaExceededError');
      storage[key] = value;
      tell(key);
    },
    removeItem(key) {
      delete storage[key];
      tell(key);
    },
  };
  const localStorage = new Proxy(storage, { get: (_target, name) => methods[String(name)] });
  vi.stubGlobal('location', { pathname: '/', assign() {} });
  const known = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      if (room.isOff) throw new DOMException('Storage is turned off.', 'SecurityError');
      return localStorage;
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
    if (known === undefined) Reflect.deleteProperty(globalThis, 'localStorage');
    else Object.defineProperty(globalThis, 'localStorage', known);
  });
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => reach(server.url + path, init));

  return {
    server,
    storage,
    room,
    async openPage(userId = 'usr_ada') {
      const window = Object.assign(new EventTarget(), { setTimeout, clearTimeout });
      windows.add(window);
      vi.stubGlobal('window', window);
      vi.resetModules();
      const outbox = await import('./outbox.ts');
      const store = await import('./outbox-store.ts');
      const { noteConnection } = await import('../api/connection.ts');
      const { queryClient } = await import('../api/query-client.ts');
      queryClient.setQueryData(['me'], { userId, name: 'somebody', role: 'member' });
      const stop = outbox.watchOutbox();
      const close = () => {
        windows.delete(window);
        stop();
      };
      onTestFinished(close);
      return { ...outbox, ...store, comeBack: () => noteConnection('live'), close };
    },
  };
}

async function serveTold(): Promise<ToldServer & { url: string }> {
  const served: ToldServer = { told: [], done: [], userId: 'usr_ada', answer: async () => OK };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/api/me') return reply(200, { userId: served.userId, name: 'somebody', role: 'member' });
    const { id = '' } = (text === '' ? {} : JSON.parse(text)) as { id?: string };
    const call = `${request.method} ${request.url!.replace('/api/sessions/', '')} ${id}`.trim();
    served.told.push(call);
    const answer = await served.answer(call);
    if (answer === undefined) return response.destroy();
    if (answer.status === 200 && !served.done.includes(call)) served.done.push(call);
    return reply(answer.status, answer.body);
  };
  const server = createServer((request, response) => void handle(request, response));
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(served, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

export const OK = { status: 200, body: {} };

/** How the server says no for good. */
export const REFUSED = { status: 403, body: { error: { code: 'forbidden', message: 'The machine is not yours.' } } };
