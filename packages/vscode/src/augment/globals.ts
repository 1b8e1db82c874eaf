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
 * writing to them, and no key is among them.
 */
export function showGlobals(shown: ShownGlobals, where: object = globalThis): { dispose(): void } {
  const own = Object.entries(NAMES).map(([name, what]) => {
    const get = (): unknown => freeze(shown[what]());
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

/** A copy that cannot be changed, and changes nothing. */
function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, freeze(each)])));
}
