import type { ConsoleClient } from '@dragoman/protocol/console';
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { client } from './client.ts';
import { mayRead } from './first-reading.ts';
import { isFollowed, putterOf } from './followed-calls.ts';
import { readWhileFollowed } from './read-while-followed.ts';

type Method = (input: never, options?: { signal?: AbortSignal }) => Promise<unknown>;
/** Every call that is asked and answered once. */
export type CallName = {
  [Name in keyof ConsoleClient]: Name extends `follow${string}` | 'online'
    ? never
    : ConsoleClient[Name] extends Method
      ? Name
      : never;
}[keyof ConsoleClient];
export type InputOf<Name extends CallName> = Parameters<ConsoleClient[Name]>[0];
export type AnswerOf<Name extends CallName> = Awaited<ReturnType<ConsoleClient[Name]>>;

/** What a question is remembered by: its name and what was asked. */
export function callKey<Name extends CallName>(name: Name, input?: InputOf<Name>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** Asks the server, remembers the answer, and asks again when it may have changed. */
export function useCall<Name extends CallName>(
  name: Name,
  input?: InputOf<Name>,
  options: {
    isEnabled?: boolean;
    /** How often it is asked again, by itself or by what was answered last. */
    everyMs?: number | ((answer: AnswerOf<Name> | undefined) => number);
    staleMs?: number;
    keepsPrevious?: boolean;
  } = {},
): UseQueryResult<AnswerOf<Name>> {
  const asked: UseQueryOptions<AnswerOf<Name>> = {
    queryKey: callKey(name, input),
    queryFn: ({ signal }) => call(name, input, signal),
    enabled: options.isEnabled ?? true,
  };
  const { everyMs } = options;
  if (everyMs !== undefined)
    asked.refetchInterval = typeof everyMs === 'number' ? everyMs : ({ state }) => everyMs(state.data);
  if (options.staleMs !== undefined) asked.staleTime = options.staleMs;
  if (options.keepsPrevious === true) asked.placeholderData = keepPreviousData;
  return useQuery(asked);
}

/** Asks the server to do something; the answers named in `changes` are asked for again afterwards. */
export function useAction<Name extends CallName>(
  name: Name,
  options: {
    changes?: readonly CallName[];
    onDone?: (answer: AnswerOf<Name>, input: InputOf<Name>, cache: QueryClient) => void;
  } = {},
): UseMutationResult<AnswerOf<Name>, Error, InputOf<Name>> {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<Name>) => call(name, input),
    onSuccess: async (answer, input) => {
      options.onDone?.(answer, input, cache);
      await Promise.all((options.changes ?? []).map((changed) => cache.invalidateQueries({ queryKey: [changed] })));
    },
  });
}

/** Remembers what an action answered in the place of what a question would; one that is on its way may be older, and is given up. */
export function putAnswer<Name extends CallName>(
  cache: QueryClient,
  name: Name,
  input: InputOf<Name> | undefined,
  answer: AnswerOf<Name>,
): void {
  const queryKey = callKey(name, input);
  void cache.cancelQueries({ queryKey, exact: true }, { revert: false });
  cache.setQueryData(queryKey, answer);
}

async function call<Name extends CallName>(
  name: Name,
  input: InputOf<Name> | undefined,
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  const method = client[name] as unknown as (given: unknown, options: unknown) => Promise<AnswerOf<Name>>;
  const ask = () => method(input, signal === undefined ? {} : { signal });
  if (!isFollowed(name)) return ask();
  await mayRead();
  return readWhileFollowed(ask, putterOf(name, input));
}
