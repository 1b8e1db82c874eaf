import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { chooseFolder, expectAccessible, openConsole } from './console.fixture.ts';
import { calls, says } from './hub.fixture.ts';
import { serveOpenCode } from './open-code.fixture.ts';

test('OpenCode over ACP is chosen in the page, asks there, is allowed there and answers there [UAP-06, UAP-36]', async () => {
  const provider = await startFakeProvider();
  const server = await serveOpenCode(provider);
  const folder = tempFolder();
  const page = await openConsole(server, { path: '/new' });
  provider.answer(
    calls('bash', { command: 'echo hello > said.txt; cat said.txt', description: 'Says hello' }),
    says('It printed ', 'hello.'),
  );

  await page.getByRole('button', { name: /^Agent:/ }).click();
  await page.getByRole('option', { name: /opencode/i }).click();
  await chooseFolder(page, folder);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Say hello with a command');
  await page.getByRole('button', { name: 'Start', exact: true }).click();

  const conversation = page.getByRole('log');
  await conversation.getByText('Needs input').waitFor();
  expect(existsSync(join(folder, 'said.txt'))).toBe(false);
  await conversation.getByRole('button', { name: 'Allow once' }).click();
  await conversation.getByText('It printed hello.').waitFor();
  await conversation.getByText('Done').first().waitFor();
  expect(existsSync(join(folder, 'said.txt'))).toBe(true);
  await expectAccessible(page);
});
