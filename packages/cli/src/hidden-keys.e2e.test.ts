import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubClient } from '@dragoman/protocol';
import { runDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { calls, saidTo, says } from './chat-answer.fixture.ts';

test('no command of the agent is handed the variables that the configuration takes its keys from', async () => {
  const provider = await startFakeProvider();
  provider.answer(calls('bash', { command: 'echo "[$SHOP_KEY$OTHER_KEY] $MINE"; env' }), says('done'));
  const [home, cwd] = [tempFolder(), tempFolder()];
  const byShop = { type: 'openai-chat', baseUrl: `${provider.url}/v1`, apiKey: '{env:SHOP_KEY}', models: ['m'] };
  const other = { type: 'openai-chat', apiKey: ['{env:OTHER_KEY}'], models: ['m'] };
  const config = { providers: { shop: byShop, other }, routes: { default: ['shop/m'] } };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const env = { SHOP_KEY: 'sk-of-the-shop', OTHER_KEY: 'sk-of-another', MINE: 'shown' };

  const { exitCode } = await runDragoman(['run', '--yes', 'go'], { home, cwd, env });

  expect(exitCode).toBe(0);
  expect(provider.requests[0]!.headers['authorization']).toBe('Bearer sk-of-the-shop');
  const [, result] = saidTo(provider.requests[1]!).find(([role]) => role === 'tool')!;
  expect(result).toMatch(/^\[\] shown\n/);
  expect(result).not.toMatch(/sk-of|SHOP_KEY|OTHER_KEY/);
});

test('no agent inherits a variable that the configuration takes a key from, unless it is given it by name', async () => {
  const [home, folder] = [tempFolder(), tempFolder()];
  const agent = { backend: 'text', command: ['sh', '-c', 'env'] };
  const config = {
    runner: { folders: [folder] },
    providers: { shop: { type: 'openai-chat', apiKey: '{env:SHOP_KEY}', models: ['m'] } },
    mcp: { tools: { url: 'https://mcp.example/?key={env:TOOL_KEY}', enabled: false } },
    agents: { plain: agent, given: { ...agent, env: { MY_KEY: '{env:SHOP_KEY}' } } },
  };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const server = await serveDragoman([], {
    home,
    env: { SHOP_KEY: 'sk-of-the-shop', TOOL_KEY: 'key-of-a-tool', MINE: 'shown' },
  });
  const client = createHubClient({ url: server.url, token: server.token });
  const printedBy = async (name: string) => {
    const { id: sessionId } = await client.createSession({ agent: name, folder, prompt: { text: 'go' } });
    const read = async () => JSON.stringify(await client.readLog({ sessionId }));
    await expect.poll(read, { timeout: 60_000 }).toMatch(/MINE=shown.*"turn-finished"/);
    return read();
  };

  expect(await printedBy('plain')).not.toMatch(/sk-of-the-shop|key-of-a-tool|SHOP_KEY|TOOL_KEY|DRAGOMAN_TOKEN/);
  expect(await printedBy('given')).toMatch(/MY_KEY=/);
});
