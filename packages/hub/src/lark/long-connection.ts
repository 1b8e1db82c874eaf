import type * as LarkSdk from '@larksuiteoapi/node-sdk';
import type { ChannelHost } from '../channels/channel.ts';
import type { EventHearing } from './event-hearing.ts';
import { EVENTS } from './lark-event-wire.ts';
import type { LarkSettings } from './lark-config.ts';

/** After the SDK gave up (wrong secret, app switched off, too many connections), it is tried again this often. */
const RETRY_MS = 60_000;
const HANDSHAKE_MS = 15_000;
/** An answer to a ping takes less, or nobody is there any more. */
const PING_SECONDS = 30;

/**
 * The connection over which Lark tells what happens, without an address that others reach.
 *
 * The SDK comes back by itself after a cut. It does not say when its first attempts fail, except to its log, and it gives
 * up for good on what a person can mend in the developer console; so its log is listened to and it is started again.
 */
export class LongConnection {
  readonly #client: LarkSdk.WSClient;
  readonly #start: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isUp = false;
  #isClosed = false;

  constructor(parts: {
    sdk: typeof LarkSdk;
    settings: LarkSettings;
    domain: string;
    hearing: Pick<EventHearing, 'hear'>;
    host: Pick<ChannelHost, 'tell' | 'log'>;
    retryMs?: number;
  }) {
    const { sdk, settings, hearing, host } = parts;
    const handler = (type: string) => (event: object) => hearing.hear(type, event as Record<string, unknown>);
    const eventDispatcher = new sdk.EventDispatcher({
      logger: SILENT,
      ...(settings.encryptKey === undefined ? {} : { encryptKey: settings.encryptKey.reveal() }),
    }).register(Object.fromEntries(Object.values(EVENTS).map((type) => [type, handler(type)])));
    const up = (): void => {
      this.#isUp = true;
      host.tell({ type: 'on' });
    };
    const down = (reason: string): void => {
      this.#isUp = false;
      if (!this.#isClosed) host.tell({ type: 'trouble', reason });
    };
    this.#client = new sdk.WSClient({
      appId: settings.appId,
      appSecret: settings.appSecret.reveal(),
      domain: parts.domain,
      source: 'dragoman',
      handshakeTimeoutMs: HANDSHAKE_MS,
      wsConfig: { pingTimeout: PING_SECONDS },
      logger: {
        ...SILENT,
        error: (said: unknown) => {
          if (!this.#isUp && !isRefusal(said))
            down('Can’t connect to Lark for events; retrying. Check the network and the proxy.');
        },
      },
      onReady: up,
      onReconnected: up,
      onReconnecting: () => down('The connection to Lark was lost; reconnecting.'),
      onError: (error) => {
        this.#isUp = false;
        if (this.#isClosed) return;
        const code = /code=(\d+)/u.exec(error.message)?.[1];
        host.log.warn({ channel: 'lark', code }, 'Lark refuses the long connection');
        host.tell({ type: 'failed', reason: refusalOf(code) });
        this.#timer = setTimeout(() => this.#start(), parts.retryMs ?? RETRY_MS);
        this.#timer.unref();
      },
    });
    this.#start = () => {
      if (!this.#isClosed) void this.#client.start({ eventDispatcher });
    };
  }

  /** Begins to connect, and does not wait until it is up. */
  start(): void {
    this.#start();
  }

  /** Events can come. */
  get isUp(): boolean {
    return this.#isUp;
  }

  close(): void {
    this.#isClosed = true;
    this.#isUp = false;
    clearTimeout(this.#timer);
    this.#client.close({ force: true });
  }
}

/** It was answered with a code: `onError` says it, too, unless it is tried again. */
function isRefusal(said: unknown): boolean {
  return Array.isArray(said) && /^code: (?!1000040343)/u.test(String(said[1]));
}

function refusalOf(code: string | undefined): string {
  switch (code) {
    case '514':
    case '10003':
    case '10014':
      return `Lark refuses the connection (code ${code}): the App ID or the App Secret is wrong. Copy both from "Credentials & Basic Info".`;
    case '403':
      return 'Lark refuses the connection (code 403): the app is turned off or not published. Publish a version of it.';
    case '1000040350':
      return 'Lark refuses the connection (code 1000040350): too many programs are connected with this app. Stop one of them.';
    default:
      return `Lark refuses the connection${code === undefined ? '' : ` (code ${code})`}. Check in the developer console that the app is published and turned on.`;
  }
}

const nothing = () => undefined;
/** The SDK logs events with all that is in them, and the address of the connection with its ticket. */
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing };
