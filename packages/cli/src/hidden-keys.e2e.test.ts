import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
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
  expect(result).not.toMatch(/sk-of|_KEY/);
});
