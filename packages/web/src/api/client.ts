import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import { pageSecret } from './page-secret.ts';
import { watchedFetch } from './waiting-requests.ts';

/** The one way to the server. The browser's login is what lets it in. */
export const client: ConsoleClient = createConsoleClient({ url: '', pageSecret, fetch: watchedFetch });
