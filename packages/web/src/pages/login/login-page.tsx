import { DragomanError } from '@dragoman/protocol/error';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';
import { forgetPageSecret, keepPageSecret, keepUser, lastUser, pageSecret } from '../../api/page-secret.ts';
import { typedCommand } from '../../api/typed-command.ts';
import { Button } from '../../design/button.tsx';
import { CopyLine } from '../../design/copy-button.tsx';
import { Failure } from '../../design/failure.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { loginWords } from './login-words.ts';

/**
 * Trades the one-time code behind the # for a login. Whoever is logged in already goes straight on; a link of somebody else
 * takes the place of their login only when they say so, because any site can lead to it.
 *
 * A link that is opened where this page is already shown changes only what is behind the #, and loads nothing anew.
 */
export function LoginPage() {
  const words = loginWords.use();
  const login = useQuery({ queryKey: ['login'], queryFn: logIn, retry: false, staleTime: Infinity });
  const { refetch } = login;
  useEffect(() => {
    const again = () => {
      if (location.hash.length > 1) void refetch();
    };
    addEventListener('hashchange', again);
    return () => removeEventListener('hashchange', again);
  }, [refetch]);
  const isRefused = login.error instanceof DragomanError && login.error.code === 'unauthenticated';
  return (
    <main className="flex h-full items-center justify-center p-4">
      <div className="w-full max-w-md rounded-lg border border-line bg-panel p-7">
        <div className="mb-4 flex items-center gap-2.5">
          <img src="/icon.svg" alt="" className="size-8" />
          <h1 className="text-2xl font-semibold tracking-tight">Dragoman</h1>
        </div>
        {asked !== undefined && !login.isFetching ? (
          <>
            <p role="status" className="contained mb-4 text-soft">
              {words.other(asked.name)}
            </p>
            <div className="flex flex-wrap gap-2">
              <Button look="primary" onClick={() => location.replace('/')}>
                {words.stay}
              </Button>
              <Button onClick={() => void changeLogin().then(() => refetch())}>{words.change}</Button>
            </div>
          </>
        ) : login.error === null || login.isFetching ? (
          <p role="status" className="flex items-center gap-2 text-soft">
            <Spinner />
            {words.loggingIn}
          </p>
        ) : (
          <>
            {isRefused ? (
              <p role="status" className="mb-4 text-soft">
                {hadCode ? words.used : words.out}
              </p>
            ) : (
              <div className="mb-4">
                <Failure error={login.error} onRetry={() => void refetch()} />
              </div>
            )}
            <p className="mb-2 text-sm">{words.how}</p>
            <CopyLine text={typedCommand('token link')} />
            <p className="mt-3 text-xs text-faint">{words.orAsk}</p>
          </>
        )}
      </div>
    </main>
  );
}

let hadCode = false;
/** The code of somebody else, and who is logged in. */
let asked: { code: string; name: string } | undefined;

async function logIn(): Promise<true> {
  const code = location.hash.slice(1);
  hadCode = code !== '';
  asked = undefined;
  let refused: unknown;
  if (hadCode) {
    history.replaceState(null, '', '/login');
    const me = lastUser() ?? (pageSecret() === undefined ? undefined : await client.me().catch(() => undefined));
    await client.logIn({ code, ...(me !== undefined && { userId: me.userId }) }).then(
      (login) => keepPageSecret(login.pageSecret),
      (error: unknown) => {
        refused = error;
        if (me !== undefined && error instanceof DragomanError && error.code === 'conflict')
          asked = { code, name: me.name };
      },
    );
    if (asked !== undefined) throw refused;
  }
  // A link that was used before still opens the page for whoever is logged in.
  const me = await client.me().catch((error: unknown) => {
    throw refused ?? error;
  });
  keepUser(me);
  location.replace('/');
  return true;
}

/** Ends the login that there is, and puts the code back to where it is read from. */
async function changeLogin(): Promise<void> {
  await client.logOut().catch(() => {}); // The other login takes its place anyway.
  await forgetPageSecret();
  history.replaceState(null, '', `/login#${asked!.code}`);
}
