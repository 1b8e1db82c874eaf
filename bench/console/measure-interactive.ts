import { type ConsoleBench, freshPage } from './console-bench.ts';
import { installProbe } from './page-probe.ts';

/**
 * From the beginning of the navigation until the main menu can be clicked, Home shows the title of a session, that frame
 * is painted and the page is free to answer; with nothing in the cache.
 */
export async function measureInteractive(bench: ConsoleBench, title: string): Promise<number> {
  const { page, close } = await freshPage(bench);
  try {
    await page.addInitScript(installProbe);
    await page.goto(bench.hub.url, { waitUntil: 'commit' });
    return await page.evaluate((text) => window.probe.shownAt(() => window.probe.isHome(text)), title);
  } finally {
    await close();
  }
}
