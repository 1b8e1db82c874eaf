import { type AnswerOf, useCall } from './calls.ts';

/** Who is looking. */
export type Me = AnswerOf<'me'>;

/** Who is looking, once the server has said so. */
export function useMe(): Me | undefined {
  return useCall('me', undefined, { staleMs: 300_000 }).data;
}

/** Whether they may act: send prompts, decide, start sessions. */
export function useMayAct(): boolean {
  const role = useMe()?.role;
  return role === 'member' || role === 'admin';
}

/** Whether they may configure. */
export function useIsAdmin(): boolean {
  return useMe()?.role === 'admin';
}
