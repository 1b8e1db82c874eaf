import { findProgram, isProgram } from '@dragoman/server/beside';

/** Chromium and what is made from it, as systems name them. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const OF_MACOS = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** Chromium without a window around its pages, as Debian packages it: the same pages for less work. */
const WITHOUT_WINDOW = 'chromium-headless-shell';

/** What a test without a browser says. */
export const NEEDS_BROWSER = 'needs chromium: install it, or name another browser of its kind in DRAGOMAN_CHROMIUM';

/** The browser of this machine that tests drive: the one that DRAGOMAN_CHROMIUM names, else the first that is found. */
export function findBrowser(env: Readonly<NodeJS.ProcessEnv> = process.env): string | undefined {
  const named = env['DRAGOMAN_CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named;
    throw new Error(`DRAGOMAN_CHROMIUM names ${named}, which is no program.`);
  }
  const [found] = NAMES.flatMap((name) => findProgram(name, env['PATH']) ?? []);
  return found ?? OF_MACOS.find(isProgram);
}

/** The browser for tests that only look at pages: what a window brings along, such as notifications, it may lack. */
export function findPageBrowser(env: Readonly<NodeJS.ProcessEnv> = process.env): string | undefined {
  const isNamed = (env['DRAGOMAN_CHROMIUM'] ?? '') !== '';
  return (isNamed ? undefined : findProgram(WITHOUT_WINDOW, env['PATH'])) ?? findBrowser(env);
}
