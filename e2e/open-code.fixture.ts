import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeProvider, openCodeEnv, tempFolder } from '@dragoman/testkit';
import { type HubServer, scripted, serveHub } from './hub.fixture.ts';

/** A server whose agent `opencode` is the real OpenCode over ACP, with our own gateway as its provider. */
export async function serveOpenCode(provider: FakeProvider): Promise<HubServer> {
  const home = tempFolder();
  const own = join(home, 'opencode');
  mkdirSync(own);
  const token = 'THE-TOKEN-OF-OPENCODE';
  const server = await serveHub(
    {
      ...scripted(provider.url),
      agents: { opencode: { backend: 'acp', command: ['opencode', 'acp'], env: openCodeEnv(own) } },
    },
    { home, args: ['--token', token] },
  );
  writeFileSync(join(own, 'opencode.json'), JSON.stringify(openCodeConfig(`${server.url}/v1`, token)));
  return server;
}

function openCodeConfig(baseURL: string, apiKey: string): object {
  const model = 'dragoman/default';
  return {
    provider: {
      dragoman: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Dragoman',
        options: { baseURL, apiKey },
        models: { default: { name: 'The default route' } },
      },
    },
    model,
    small_model: model,
    permission: { bash: 'ask', edit: 'ask' },
    agent: { title: { disable: true } },
    autoupdate: false,
    share: 'disabled',
  };
}
