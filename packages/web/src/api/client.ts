import { pageSecret } from './page-secret.ts';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';

/** The one way to the server. The browser's login is what lets it in. */
export const client: ConsoleClient = createConsoleClient({ url: '', pageSecret });

// Parts of the console are also drawn where there is no window: in tests.
if (typeof window !== 'undefined') {
  window.addEventListener('online', () => client.online());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') client.online();
  });
}
