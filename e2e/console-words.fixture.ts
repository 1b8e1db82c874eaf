import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';

const sources = join(import.meta.dirname, '../packages/web/src');

/** Every dictionary of the console. */
async function dictionaries(): Promise<{ en: unknown; zh: unknown }[]> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('-words.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(sources, file)).href) as Promise<object>),
  );
  return modules
    .flatMap((module) => Object.values(module) as { en?: unknown; zh?: unknown }[])
    .filter((words): words is { en: unknown; zh: unknown } => words.zh !== undefined);
}

/** What of the page, seen or read out, is a text of our English dictionaries. */
export async function englishOn(page: Page): Promise<string[]> {
  const all = await dictionaries();
  // A word that Chinese borrowed, and the names of agents and clients, are no rest of a translation.
  const borrowed = new Set([...all.flatMap(({ en, zh }) => differing(zh, en)), 'Chat', 'Continue']);
  const english = new Set(all.flatMap(({ en, zh }) => differing(en, zh)).filter((text) => !borrowed.has(text)));
  const texts = (await page.evaluate(SHOWN)) as string[];
  if (texts.length < 10) throw new Error(`there is hardly anything on ${page.url()}: ${texts.join(', ')}`);
  return texts.filter((text) => english.has(text));
}

/** Every text of the page: what is written, and what labels, titles and placeholders say. */
const SHOWN = `(() => {
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode.textContent.trim());
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder']) texts.push((element.getAttribute(name) ?? '').trim());
  return texts.filter((text) => text !== '');
})()`;

/** The English texts that are not the same in Chinese; those with a number or a name in them are tried with one. */
function differing(en: unknown, zh: unknown): string[] {
  if (typeof en === 'string') return en === zh ? [] : [en];
  if (typeof en === 'function') return [1, 2, 16].map((given) => tried(en as (given: unknown) => string, given));
  if (typeof en !== 'object' || en === null) return [];
  return Object.entries(en).flatMap(([key, words]) => differing(words, (zh as Record<string, unknown>)[key]));
}

function tried(words: (given: unknown) => string, given: number): string {
  try {
    return words(given);
  } catch {
    return words(String(given)); // It takes a text.
  }
}
