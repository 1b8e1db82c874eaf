import { useAction } from './calls.ts';
import { forgetPageSecret } from './page-secret.ts';

/** Ends the login of this browser, and goes to the page that asks for a new one. */
export function useLogOut() {
  return useAction('logOut', {
    onDone: () => void forgetPageSecret().then(() => location.assign('/login')),
  });
}
