import type { OverlaidSettings } from './overlay.ts';

/** What the upstream is, for whoever looks: names and addresses, never a key. */
export interface UpstreamFacts {
  baseUrl: string;
  model: string;
  temperature: number | undefined;
  maxTokens: number | undefined;
}

/** A handle on the running server. */
interface ServerHandle {
  readonly url: string | undefined;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

/** What is shown under each of the three names, asked for at the moment somebody looks. */
export interface ShownGlobals {
  overlay(): OverlaidSettings | undefined;
  upstream(): UpstreamFacts | undefined;
  server(): ServerHandle | undefined;
}

const NAMES = {
  __AUGMENT_BYOK_OVERLAY: 'overlay',
  __AUGMENT_BYOK_UPSTREAM: 'upstream',
  __AUGMENT_BYOK_SERVER: 'server',
} as const satisfies Record<string, keyof ShownGlobals>;

/**
 * The three globals of the specification.
 *
 * Every extension of this process can read them, so they are views and not the truth: nobody changes the overlay by
 * writing to them, and no key and no token is among them.
 */
export function showGlobals(shown: ShownGlobals, where: object = globalThis): { dispose(): void } {
  const own = Object.entries(NAMES).map(([name, what]) => {
    const get = (): unknown => freeze(shown[what](), what === 'overlay');
    Object.defineProperty(where, name, { get, configurable: true, enumerable: false });
    return { name, get };
  });
  return {
    dispose() {
      for (const { name, get } of own)
        if (Object.getOwnPropertyDescriptor(where, name)?.get === get) Reflect.deleteProperty(where, name);
    },
  };
}

/** In the place of a token. */
const MASK = '…';

/** A copy that cannot be changed, and changes nothing; without tokens where there may be some. */
function freeze(value: unknown, isMasked: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copied = Object.entries(value).map(([name, each]): [string, unknown] => [
    name,
    isMasked && /token/i.test(name) ? MASK : freeze(each, isMasked),
  ]);
  return Object.freeze(Object.fromEntries(copied));
}
