import type { BrowserContext } from 'playwright-core';

/** Logs a browser in with the code of a login link, as the page behind the link does. */
export async function logInBrowser(browser: BrowserContext, url: string, code: string): Promise<void> {
  const answer = await browser.request.post(`${url}/api/login`, { data: { code } });
  if (!answer.ok()) throw new Error(`logging in failed: ${await answer.text()}`);
  const { pageSecret } = (await answer.json()) as { pageSecret: string };
  const kept = JSON.stringify([new URL(url).origin, pageSecret]);
  await browser.addInitScript(
    `{ const [origin, secret] = ${kept}; if (self.origin === origin) localStorage.setItem('dragoman.page-secret', secret); }`,
  );
}
