import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { runCommand, webview } from './vscode-window.fixture.ts';
import { PATIENCE } from './vscode.fixture.ts';

/** The eight items, as a person types them. */
export type PanelItems = Partial<
  Record<
    | 'baseUrl'
    | 'apiKey'
    | 'model'
    | 'temperature'
    | 'maxTokens'
    | 'systemPromptBase'
    | 'augmentBaseUrl'
    | 'augmentToken',
    string
  >
>;

/** Opens the settings panel through the palette and waits until it knows how things stand. */
export async function openPanel(page: Page): Promise<Frame> {
  await runCommand(page, 'Augment: BYOK Settings...');
  const panel = await webview(page, 'Your own key, your own server.');
  await expect.poll(() => panel.locator('#server').textContent(), PATIENCE).not.toBe('');
  return panel;
}

/** Types into the fields. */
export async function fillPanel(panel: Frame, items: PanelItems): Promise<void> {
  for (const [name, text] of Object.entries(items)) await panel.locator(`#${name}`).fill(text);
}

/** Presses a button and waits for what is said then, in sight. */
export async function pressInPanel(panel: Frame, button: 'save' | 'test', said: string | RegExp): Promise<void> {
  await panel.locator(`#${button}`).click();
  const told = panel.locator('#told').filter({ hasText: said });
  await told.waitFor(PATIENCE);
  const isInSight = (element: Element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight;
  };
  await expect.poll(() => told.evaluate(isInSight), PATIENCE).toBe(true);
}

/** What the fields show. */
export async function shownInPanel(panel: Frame): Promise<Record<string, string>> {
  return panel.evaluate(() =>
    Object.fromEntries(
      [
        ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=checkbox]), textarea'),
      ].map(({ id, value }) => [id, value]),
    ),
  );
}
