import { setTimeout as pause } from 'node:timers/promises';
import { type ConsoleBench, freshPage } from './console-bench.ts';
import { installProbe } from './page-probe.ts';

/** What a page costs to load. */
export interface FirstLoad {
  /** Bytes of script that came over the wire, headers and all. */
  scriptBytes: number;
  scripts: number;
  styleBytes: number;
}

/** What is loaded without being asked for comes soon after a page is there. */
const AFTER_MS = 1_000;

/**
 * Opens a page with nothing in the cache and counts what is loaded until the text is on it, and a second longer. Of a
 * session the text is the last one, of Home it is a title.
 */
export async function measureFirstLoad(bench: ConsoleBench, path: string, text: string): Promise<FirstLoad> {
  const { page, cdp, close } = await freshPage(bench);
  const kinds = new Map<string, string>();
  const load: FirstLoad = { scriptBytes: 0, scripts: 0, styleBytes: 0 };
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type, response }) =>
    kinds.set(requestId, /\.js($|\?)/.test(response.url) ? 'Script' : type),
  );
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId) === 'Stylesheet') load.styleBytes += encodedDataLength;
    if (kinds.get(requestId) !== 'Script') return;
    load.scriptBytes += encodedDataLength;
    load.scripts += 1;
  });
  try {
    await page.addInitScript(installProbe);
    await page.goto(bench.hub.url + path);
    await page.waitForFunction((wanted) => window.probe.isHome(wanted) || window.probe.isLast(wanted), text);
    await pause(AFTER_MS);
    return load;
  } finally {
    await close();
  }
}
