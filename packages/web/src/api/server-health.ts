import { useQuery } from '@tanstack/react-query';

const EVERY_MS = 30_000;

/** Whether the server has no room left to write anything, as its `/health` says. */
export function useIsDiskFull(): boolean {
  const { data } = useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }) => {
      // Also what is not well is an answer; a server that is away is told of elsewhere.
      const answer = await fetch('/health', { signal });
      return (await answer.json()) as { isDiskFull?: unknown };
    },
    refetchInterval: EVERY_MS,
    retry: false,
  });
  return data?.isDiskFull === true;
}
