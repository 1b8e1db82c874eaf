import { expect, test } from 'vitest';
import { showGlobals } from './globals.ts';

type Seen = Record<'__AUGMENT_BYOK_OVERLAY' | '__AUGMENT_BYOK_UPSTREAM' | '__AUGMENT_BYOK_SERVER', unknown>;

test('EDITOR-02 EDITOR-03 EDITOR-04 the three globals show what is in force at the moment somebody looks, and no token', async () => {
  const where = {} as Seen;
  let url = 'http://127.0.0.1:1';
  let stops = 0;
  showGlobals(
    {
      overlay: () => ({ augment: { advanced: { completionURL: `${url}/`, apiToken: 'LOCAL' } } }),
      upstream: () => ({ baseUrl: 'https://m.example/v1', model: 'm', temperature: 0, maxTokens: undefined }),
      server: () => ({ url, stop: async () => void (stops += 1), restart: async () => {} }),
    },
    where,
  );
  url = 'http://127.0.0.1:2';

  expect(where.__AUGMENT_BYOK_OVERLAY).toEqual({
    augment: { advanced: { completionURL: 'http://127.0.0.1:2/', apiToken: '…' } },
  });
  expect(where.__AUGMENT_BYOK_UPSTREAM).toEqual({
    baseUrl: 'https://m.example/v1',
    model: 'm',
    temperature: 0,
    maxTokens: undefined,
  });
  expect(where.__AUGMENT_BYOK_SERVER).toEqual({
    url: 'http://127.0.0.1:2',
    stop: expect.any(Function),
    restart: expect.any(Function),
  });
  await (where.__AUGMENT_BYOK_SERVER as { stop(): Promise<void> }).stop();
  expect(stops).toBe(1);
});

test('nobody changes the overlay by writing to it, and it is gone when the extension is', () => {
  const where = {} as Seen & { __AUGMENT_BYOK_OVERLAY: { augment: { advanced: { completionURL: string } } } };
  const shown = showGlobals(
    {
      overlay: () => ({ augment: { advanced: { completionURL: 'ours' } } }),
      upstream: () => undefined,
      server: () => undefined,
    },
    where,
  );
  expect(() => (where.__AUGMENT_BYOK_OVERLAY.augment.advanced.completionURL = 'theirs')).toThrow(TypeError);
  expect(() => (where.__AUGMENT_BYOK_UPSTREAM = 'theirs')).toThrow(TypeError);
  expect(where.__AUGMENT_BYOK_OVERLAY.augment.advanced.completionURL).toBe('ours');
  shown.dispose();
  expect(Object.getOwnPropertyNames(where)).toEqual([]);
});

test('on the real global object they have the names of the specification', () => {
  const shown = showGlobals({ overlay: () => ({ a: 1 }), upstream: () => undefined, server: () => undefined });
  expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({ a: 1 });
  shown.dispose();
  expect('__AUGMENT_BYOK_OVERLAY' in globalThis).toBe(false);
});
