import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { testConfig } from '../gateway.fixture.ts';
import { UpstreamRegistry } from './upstream-registry.ts';

const CALL = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }], tools: [] };

test.each(['..', '.', '../../../admin', 'a/../../admin', 'a/..', './a'])(
  'a call of the model "%s" stays where the provider takes calls',
  async (model) => {
    const fake = await startFakeProvider();
    const upstreams = new UpstreamRegistry();
    const { providers } = testConfig({
      providers: {
        gem: { type: 'gemini', baseUrl: `${fake.url}/v1beta` },
        az: { type: 'openai-chat', baseUrl: fake.url, path: '/openai/deployments/{model}/chat/completions' },
      },
    });
    for (const providerName of ['gem', 'az'])
      await upstreams
        .open(CALL, { providerName, provider: providers[providerName]!, model }, true, new AbortController().signal)
        .catch(() => undefined);
    await upstreams.close();
    const places = fake.requests.map(({ path }) => path);
    expect(places.filter((path) => !/^\/(?:v1beta|openai\/deployments)\//.test(path))).toEqual([]);
  },
);

test('a model whose name climbs is refused', async () => {
  const upstreams = new UpstreamRegistry();
  const { providers } = testConfig({ providers: { gem: { type: 'gemini', baseUrl: 'http://127.0.0.1:9/v1beta' } } });
  const target = { providerName: 'gem', provider: providers['gem']!, model: '../../admin' };
  await expect(upstreams.open(CALL, target, true, new AbortController().signal)).rejects.toMatchObject({
    code: 'bad-request',
    message: '"../../admin" is not the name of a model.',
  });
});
