import type { AgentCheck } from '@dragoman/protocol/console';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { InputOf } from '../../../api/calls.ts';
import { client } from '../../../api/client.ts';

/** A check of an agent: it takes minutes, can be stopped, and ends when nobody looks any more. */
export interface RunningCheck {
  start: (input: InputOf<'checkAgent'>) => void;
  stop: () => void;
  /** Since when it runs. */
  since: number | undefined;
  result: AgentCheck | undefined;
  error: Error | null;
}

/** Checks agents, one after the other. */
export function useAgentCheck(): RunningCheck {
  const ending = useRef<AbortController>(undefined);
  const [since, setSince] = useState<number>();
  const check = useMutation({
    mutationFn: (input: InputOf<'checkAgent'>) => {
      ending.current = new AbortController();
      return client.checkAgent(input, { signal: ending.current.signal });
    },
    onMutate: () => setSince(Date.now()),
    onSettled: () => setSince(undefined),
  });
  useEffect(() => () => ending.current?.abort(), []);
  const isStopped = check.error !== null && 'code' in check.error && check.error.code === 'cancelled';
  return {
    start: (input) => check.mutate(input),
    stop: () => ending.current?.abort(),
    since,
    result: check.data,
    error: isStopped ? null : check.error,
  };
}
