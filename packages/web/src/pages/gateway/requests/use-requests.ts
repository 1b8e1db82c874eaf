import type { RequestInfo } from '@dragoman/protocol/console';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { followLive } from '../../../live/live.ts';
import type { LiveState } from '../../../live/live-message.ts';
import { mergeRequests } from './request-log.ts';

const FIRST = 500;
const DRAWN_EVERY_MS = 150;

/** The requests as they end, and how the page stands with the stream of them. */
export interface LiveRequests {
  /** Undefined until the list was read for the first time. */
  requests: readonly RequestInfo[] | undefined;
  state: LiveState | undefined;
  error: Error | undefined;
  /** Begins anew after an error. */
  retry: () => void;
}

/** Follows the requests. Whenever the stream is live the list is read, because what ended before was not told. */
export function useRequests(): LiveRequests {
  const [requests, setRequests] = useState<readonly RequestInfo[]>();
  const [state, setState] = useState<LiveState>();
  const [error, setError] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  const came = useRef<RequestInfo[]>([]);

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: number | undefined;
    const draw = () => {
      timer = undefined;
      const fresh = came.current.splice(0);
      setRequests((known) => mergeRequests(known ?? [], fresh));
    };
    const fail = (reason: unknown) => {
      if (!signal.aborted) setError(reason as Error);
    };
    const read = async () => {
      const list = await client.listRequests({ limit: FIRST }, { signal });
      setRequests((known) => mergeRequests(known ?? [], list.requests));
    };
    const leave = followLive('requests', {
      onState(next) {
        setState(next);
        if (next === 'live') read().catch(fail);
      },
      onTold(data) {
        came.current.push(JSON.parse(data) as RequestInfo);
        timer ??= window.setTimeout(draw, DRAWN_EVERY_MS);
      },
      onOver: fail,
    });
    return () => {
      leave();
      ending.abort();
      clearTimeout(timer);
    };
  }, [attempt]);

  const retry = () => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  return { requests, state, error, retry };
}
