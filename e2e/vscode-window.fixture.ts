import type { Frame, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type Editor, PATIENCE, statusItem, userSettings } from './vscode.fixture.ts';

/** How long one attempt takes at most, where the editor may still be moving its focus about. */
const ATTEMPT = { timeout: 15_000 };
/** A key that went nowhere is pressed again after this. */
const SOON = { timeout: 5_000 };

/** Runs a command by its title, through the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await vi.waitFor(async () => (await findCommand(page, title)).click(ATTEMPT), PATIENCE);
}

/** Looks a command up in the palette and leaves it open there; something else that opens closes it again. */
export async function findCommand(page: Page, title: string): Promise<Locator> {
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
  await vi.waitFor(async () => {
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor(SOON);
    await input.fill(`>${title}`, ATTEMPT);
    await row.waitFor(ATTEMPT);
  }, PATIENCE);
  return row;
}

/** Starts our server by hand and waits until the window has it. */
export async function startServer(page: Page): Promise<void> {
  await runCommand(page, 'Dragoman: Start Server');
  await statusItem(page, 'ready').waitFor();
}

/** A notice or a dialog that holds the text. */
export function notice(page: Page, text: string | RegExp): Locator {
  return page.locator('.notification-list-item, .monaco-dialog-box').filter({ hasText: text }).first();
}

/** Presses a button of a notice or a dialog. */
export async function answer(page: Page, text: string | RegExp, button: string): Promise<void> {
  await notice(page, text).getByRole('button', { name: button, exact: true }).click();
}

/** The page inside a webview, two frames deep, that shows the text. */
export async function webview(page: Page, text: string | RegExp): Promise<Frame> {
  return vi.waitFor(async () => {
    for (const frame of page.frames().filter((each) => each.parentFrame()?.parentFrame() === page.mainFrame()))
      if (await frame.getByText(text).first().isVisible()) return frame;
    throw new Error(`no webview shows ${text}`);
  }, PATIENCE);
}

/** Agrees to what the chat needs, and waits until it is written and out of the way. */
export async function turnOnChat(page: Page, editor: Editor): Promise<void> {
  await answer(page, 'chat.allowAnonymousAccess', 'Turn On and Open Chat');
  await vi.waitFor(() => expect(userSettings(editor)).toMatchObject(FOR_CHAT), PATIENCE);
  await page.getByText('settings.json').first().waitFor({ state: 'hidden' });
}

const FOR_CHAT = {
  'chat.allowAnonymousAccess': true,
  'chat.utilityModel': 'dragoman/default',
  'chat.utilitySmallModel': 'dragoman/default',
};

/** Opens the built-in chat and asks. What is given back is the answer, as far as it has come. */
export async function askInChat(page: Page, question: string): Promise<Locator> {
  await runCommand(page, 'Chat: Open Chat');
  const box = page.locator('.interactive-input-editor .view-lines').first();
  const typed = async () => (await box.textContent(ATTEMPT))?.replaceAll('\u00A0', ' ');
  await vi.waitFor(async () => {
    await box.click(ATTEMPT);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(question);
    expect(await typed()).toBe(question);
  }, PATIENCE);
  await page.keyboard.press('Enter');
  await page.locator('.interactive-request').filter({ hasText: question }).last().waitFor();
  return page.locator('.interactive-response').last();
}

/** Waits until the chat has nothing more to say. */
export async function isComplete(response: Locator): Promise<void> {
  await response.and(response.page().locator(':not(.chat-response-loading)')).waitFor();
}
