import { DragomanError } from '@dragoman/protocol/error';
import { QueryCache, QueryClient } from '@tanstack/react-query';

/** The page people see when their login has ended. */
function askToLogIn(error: unknown): void {
  const isOut = error instanceof DragomanError && error.code === 'unauthenticated';
  if (isOut && location.pathname !== '/login') location.assign('/login');
}

/** Remembers what the server said. What the server refuses is not asked again by itself; what did not reach it is. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askToLogIn }),
  defaultOptions: {
    queries: {
      networkMode: 'always', // The server may be on this machine, which is there without a network too.
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && error instanceof DragomanError && error.isRetryable,
      refetchOnWindowFocus: true,
    },
    mutations: { onError: askToLogIn, networkMode: 'always' },
  },
});
