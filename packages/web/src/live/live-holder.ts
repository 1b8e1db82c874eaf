import { HUB_ROUTES, hubSender, type ServerEvent } from '@dragoman/protocol';
import { GATEWAY_ROUTES } from '@dragoman/protocol/routes';
import type { LiveNews, LiveRequest, LiveState, LiveTopic } from './live-message.ts';
import { RenewedStream } from './renewed-stream.ts';

/** What the server takes in one stream; more sessions than this are open in no browser that anybody looks at. */
const MOST_SESSIONS = 100;
/** A page says every half minute that it is there; the timers of one in the background run once a minute. */
const DEAD_AFTER_MS = 180_000;

/** The holder's end of the way to a page. */
export interface LivePort {
  postMessage(news: LiveNews): void;
  onmessage: ((event: MessageEvent<LiveRequest>) => void) | null;
}

interface Want {
  topic: LiveTopic;
  /** Up to where the page was told, of a session. */
  seq: number;
}

interface Page {
  port: LivePort;
  wants: Map<number, Want>;
  seenAt: number;
}

/**
 * Holds the streams for any number of pages: one for lists and sessions, and one for the requests of the gateway while somebody looks at
 * them. A browser has six connections to a server, whatever number of pages it shows.
 */
export class LiveHolder {
  readonly #pages = new Set<Page>();
  readonly #hub: RenewedStream;
  readonly #requests: RenewedStream;
  #secret: string | undefined;
  /** Rises whenever the stream of lists and sessions has to tell something else. */
  #version = 0;

  constructor({ fetch }: { fetch?: typeof globalThis.fetch } = {}) {
    const send = hubSender({ url: '', pageSecret: () => this.#secret, fetch });
    this.#hub = new RenewedStream({
      send,
      path: () => this.#hubPath(),
      version: () => (this.#has((topic) => topic !== 'requests') ? this.#version : undefined),
      receive: (event) => this.#receive(event),
      onState: (state) => this.#tellState((topic) => topic !== 'requests', state),
      onOver: (error) => this.#end((topic) => topic !== 'requests', error),
    });
    const isRequests = (topic: LiveTopic) => topic === 'requests';
    this.#requests = new RenewedStream({
      send,
      path: () => GATEWAY_ROUTES.readRequests.path,
      version: () => (this.#has(isRequests) ? 0 : undefined),
      receive: ({ data }) => this.#tell(isRequests, () => ({ data, seq: undefined })),
      onState: (state) => this.#tellState(isRequests, state),
      onOver: (error) => this.#end(isRequests, error),
    });
  }

  /** Serves one more page. */
  attach(port: LivePort): void {
    const page: Page = { port, wants: new Map(), seenAt: Date.now() };
    port.onmessage = ({ data }) => this.#hear(page, data);
  }

  /** Forgets pages that died without a word. */
  sweep(now = Date.now()): void {
    for (const page of this.#pages) {
      if (now - page.seenAt < DEAD_AFTER_MS) continue;
      this.#leave(page);
      page.port.postMessage({ type: 'lost' });
    }
  }

  #hear(page: Page, request: LiveRequest): void {
    page.seenAt = Date.now();
    if ('secret' in request) this.#logIn(request.secret);
    switch (request.type) {
      case 'want':
        this.#pages.add(page);
        return this.#add(page, request);
      case 'drop':
        return this.#remove(page, request.id);
      case 'online':
        this.#hub.hurry();
        return this.#requests.hurry();
      case 'bye':
        return this.#leave(page);
      default: // A sign of life is noted above.
    }
  }

  #logIn(secret: string | undefined): void {
    if (secret === this.#secret) return;
    this.#secret = secret;
    this.#hub.restart();
    this.#requests.restart();
  }

  #add(page: Page, { id, topic, after }: { id: number; topic: LiveTopic; after: number }): void {
    // The lists are part of the stream whenever there is one.
    if (topic !== 'lists' && topic !== 'requests') this.#version += 1;
    page.wants.set(id, { topic, seq: after });
    const stream = topic === 'requests' ? this.#requests : this.#hub;
    stream.update();
    page.port.postMessage({ type: 'state', id, state: stream.state });
  }

  #remove(page: Page, id: number): void {
    const want = page.wants.get(id);
    if (want === undefined) return;
    page.wants.delete(id);
    if (!this.#has((topic) => topic === want.topic)) this.#version += 1;
    this.#hub.update();
    this.#requests.update();
  }

  #leave(page: Page): void {
    for (const id of page.wants.keys()) this.#remove(page, id);
    this.#pages.delete(page);
  }

  #has(isMeant: (topic: LiveTopic) => boolean): boolean {
    return [...this.#pages].some(({ wants }) => [...wants.values()].some(({ topic }) => isMeant(topic)));
  }

  #hubPath(): string {
    const from = new Map<string, number>();
    for (const { wants } of this.#pages)
      for (const { topic, seq } of wants.values())
        if (topic !== 'lists' && topic !== 'requests') from.set(topic, Math.min(seq, from.get(topic) ?? seq));
    const sessions = [...from].slice(-MOST_SESSIONS).map(([id, seq]) => `${id}.${seq}`);
    return `${HUB_ROUTES.readLive.path}?lists=true${sessions.length === 0 ? '' : `&sessions=${sessions.join(',')}`}`;
  }

  #receive({ event, id, data }: ServerEvent): void {
    if (event === 'change')
      return this.#tell(
        (topic) => topic === 'lists',
        () => ({ data, seq: undefined }),
      );
    if (event === 'events') {
      const [sessionId, seq] = [id!.slice(0, id!.lastIndexOf('.')), Number(id!.slice(id!.lastIndexOf('.') + 1))];
      return this.#tell(
        (topic) => topic === sessionId,
        (want) => {
          if (seq <= want.seq) return undefined;
          want.seq = seq;
          return { data, seq };
        },
      );
    }
    if (event !== 'refused') return;
    const { sessionId, error } = JSON.parse(data) as { sessionId: string; error: { code: string; message: string } };
    this.#end((topic) => topic === sessionId, error);
  }

  #tell(
    isMeant: (topic: LiveTopic) => boolean,
    news: (want: Want) => { data: string; seq: number | undefined } | undefined,
  ): void {
    this.#each(isMeant, ({ port }, id, want) => {
      const told = news(want);
      if (told !== undefined) port.postMessage({ type: 'told', id, ...told });
    });
  }

  #tellState(isMeant: (topic: LiveTopic) => boolean, state: LiveState): void {
    this.#each(isMeant, ({ port }, id) => port.postMessage({ type: 'state', id, state }));
  }

  /** Those who wanted it are told why there is nothing, and may want it again. */
  #end(isMeant: (topic: LiveTopic) => boolean, { code, message }: { code: string; message: string }): void {
    this.#each(isMeant, ({ port, wants }, id) => {
      wants.delete(id);
      port.postMessage({ type: 'over', id, error: { code, message } });
    });
  }

  #each(isMeant: (topic: LiveTopic) => boolean, call: (page: Page, id: number, want: Want) => void): void {
    for (const page of this.#pages) for (const [id, want] of page.wants) if (isMeant(want.topic)) call(page, id, want);
  }
}
