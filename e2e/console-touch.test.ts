import { startFakeProvider } from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { openPage, pagesOf } from './console-pages.fixture.ts';
import { serveDemo } from './demo.fixture.ts';
import { approvalOf, calls, projectWith, scripted, serveHub } from './hub.fixture.ts';

test('on a phone everything that can be pressed is at least 44 px wide and high, on every page', async () => {
  const demo = await serveDemo();
  const page = await openConsole(demo, { size: 'phone' });
  const small: string[] = [];
  for (const [name, path] of Object.entries(pagesOf(demo))) {
    await openPage(page, `${demo.url}${path}`);
    small.push(...(await tooSmall(page)).map((target) => `${name}: ${target}`));
  }
  expect(small).toEqual([]);
});

/** What of the page a finger could miss. What stands in a sentence is as large as its line, and is not meant. */
async function tooSmall(page: Page): Promise<string[]> {
  return (await page.evaluate(TOO_SMALL)) as string[];
}

/**
 * The area that answers to a finger is asked of the browser, point by point from the middle of each target: it may be larger than what is
 * drawn, and smaller where something else lies above it. A box to tick is pressed by its label too.
 */
const TOO_SMALL = `(() => {
  const LEAST = 44;
  const TARGETS =
    'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role^=menuitem], [role=option], [role=tab], [role=switch]';
  const small = [];
  for (const target of document.querySelectorAll(TARGETS)) {
    if (target.disabled || target.closest('[inert], [aria-hidden=true]') || isInSentence(target)) continue;
    if (!target.checkVisibility({ visibilityProperty: true })) continue;
    const shown = /^(checkbox|radio)$/.test(target.type) ? (target.closest('label') ?? target) : target;
    shown.scrollIntoView({ block: 'center', inline: 'center' });
    const box = shown.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue; // It is there for screen readers.
    const reach = reachOf(shown, box);
    const width = Math.max(box.width, reach.width);
    const height = Math.max(box.height, reach.height);
    if (width < LEAST || height < LEAST)
      small.push(\`\${target.tagName} "\${nameOf(target)}" \${Math.round(width)} x \${Math.round(height)}\`);
  }
  return small;

  function isInSentence(target) {
    if (!/^inline/.test(getComputedStyle(target).display)) return false;
    if (/flex|grid/.test(getComputedStyle(target.parentElement).display)) return false;
    return target.closest('p, li, td, dd')?.textContent.trim() !== target.textContent.trim();
  }
  function reachOf(shown, box) {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const steps = (dx, dy) => {
      let count = 0;
      while (count < LEAST && shown.contains(document.elementFromPoint(x + dx * (count + 1), y + dy * (count + 1)))) count++;
      return count;
    };
    return { width: steps(-1, 0) + steps(1, 0) + 1, height: steps(0, -1) + steps(0, 1) + 1 };
  }
  function nameOf(target) {
    return (target.getAttribute('aria-label') ?? target.innerText ?? '').trim().replaceAll(/\\s+/g, ' ').slice(0, 60);
  }
})()`;

test('on a phone Allow and Reject are as large as each other and stay in sight below a question longer than the screen', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const content = Array.from({ length: 120 }, (_, line) => `export const PRICE_${line} = ${line};`).join('\n');
  provider.answer(calls('write', { filePath: 'prices.ts', content }));
  const { id } = await server.owner.createSession({
    agent: 'native',
    folder: projectWith({ 'a.txt': 'a' }),
    prompt: { text: 'Write the prices down.', channel: 'web' },
  });
  await approvalOf(server.owner, id);
  const page = await openConsole(server, { size: 'phone', path: `/sessions/${id}` });
  const answers = page.getByRole('group', { name: 'Your answer' }).getByRole('button');
  const boxes = async () => [(await answers.nth(0).boundingBox())!, (await answers.nth(1).boundingBox())!] as const;
  await answers.first().waitFor();

  const [yes, no] = await boxes();
  expect({ width: yes.width, height: yes.height, y: yes.y }).toEqual({ width: no.width, height: no.height, y: no.y });
  expect(yes.width + no.width).toBeGreaterThan(260);
  await page.getByText('PRICE_60 = 60').first().scrollIntoViewIfNeeded();
  await page.getByText('PRICE_10 = 10').first().scrollIntoViewIfNeeded();
  await expect.poll(async () => (await page.getByText('PRICE_10 = 10').first().boundingBox())!.y).toBeGreaterThan(0);

  const [stuck] = await boxes();
  expect(stuck.y + stuck.height).toBeLessThan((await page.getByRole('textbox').last().boundingBox())!.y);
  await answers.first().click();
  await answers.first().waitFor({ state: 'detached' });
});
