import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { askInChat, isComplete, notice, runCommand, turnOnChat } from './vscode-window.fixture.ts';
import { openEditor, PATIENCE, picture, projectOf, SHOP, statusItem, userSettings } from './vscode.fixture.ts';

test('without a network, an account or a key, the walkthrough leads from the installed package to an answer of the built-in chat, which asks the code search; Disconnect puts the settings of the chat back [EDITOR-05]', async () => {
  const editor = await openEditor({ isOffline: true });
  const before = userSettings(editor);
  const page = await editor.openWindow(projectOf(SHOP));

  // The walkthrough opened by itself.
  await page.getByRole('heading', { name: 'Get started with Dragoman', level: 2 }).waitFor();
  await picture(page, 'walkthrough');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await statusItem(page, 'ready').waitFor();
  const { pid, url } = await editor.server();
  await vi.waitFor(() => expect(listening(pid)).toEqual([`127.0.0.1:${new URL(url).port}`]), PATIENCE);

  // What the chat needs is explained, and written when the person agrees.
  await page.getByRole('heading', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Use in VS Code chat' }).click();
  await notice(page, 'chat.allowAnonymousAccess').waitFor();
  await picture(page, 'chat-ask');
  expect(userSettings(editor)).toEqual(before);
  await turnOnChat(page, editor);

  const found = await askInChat(page, 'Where is the discount applied?');
  await found.getByText('Relevant files: src/prices.ts.').waitFor();
  await found.getByText('line.count * line.price * (1 - line.discount)').first().waitFor();
  await isComplete(found);
  await picture(page, 'first-answer');
  // The server notes a call when its answer has gone out.
  await vi.waitFor(
    () =>
      expect(readFileSync(join(editor.storage, 'home', 'server.log'), 'utf8')).toMatch(
        /POST \/v1\/chat\/completions 200[^]*POST \/mcp 200[^]*POST \/v1\/chat\/completions 200/,
      ),
    PATIENCE,
  );

  // The conversation is named after the question, and not after the model that was asked for a name.
  expect(await page.getByText("I'm Dragoman's offline model").count()).toBe(0);

  await runCommand(page, 'Dragoman: Disconnect and Restore Settings');
  await vi.waitFor(() => expect(userSettings(editor)).toEqual(before), PATIENCE);
});

/** Where something listens in the network that a process sees, as IPv4 addresses with ports. */
function listening(pid: number): string[] {
  const LISTENS = '0A';
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === LISTENS)
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      return `${Buffer.from(address, 'hex').reverse().join('.')}:${Number.parseInt(port, 16)}`;
    });
}
