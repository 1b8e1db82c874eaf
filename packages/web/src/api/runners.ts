import type { HubRunner } from '@dragoman/protocol';
import { useMemo } from 'react';
import { useCall } from './calls.ts';
import { type Me, useMe } from './me.ts';

/** Every machine, as it is right now. */
export function useRunners(): { runners: readonly HubRunner[] | undefined; error: Error | null; retry: () => void } {
  const { data, error, refetch } = useCall('listRunners', undefined, { staleMs: Infinity });
  return { runners: data?.runners, error, retry: () => void refetch() };
}

/** What an agent of a session is called, everywhere the same; by its own name where its machine does not say. */
export function useAgentTitle(): (session: { agent: string; runnerId: string }) => string {
  const { runners } = useRunners();
  return ({ agent, runnerId }) => {
    const offers = runners?.find(({ id }) => id === runnerId)?.agents;
    return offers?.find(({ name }) => name === agent)?.title ?? agent;
  };
}

/** Whether somebody may let agents work on a machine: its owner, admins, and every member where it is shared. */
function mayUse(runner: HubRunner, me: Me): boolean {
  if (me.role === 'viewer') return false;
  return me.role === 'admin' || runner.isShared || runner.owner === me.name;
}

/**
 * The machine, where it is another's own and not shared: who may act elsewhere only reads there. Nothing for viewers, who
 * act nowhere.
 */
export function useForeignRunner(runnerId: string | undefined): HubRunner | undefined {
  const { runners } = useRunners();
  const me = useMe();
  if (me === undefined || me.role === 'viewer') return undefined;
  return runners?.find((runner) => runner.id === runnerId && !mayUse(runner, me));
}

/** The machines somebody may let agents work on: the server first, then the connected ones. */
export function useUsableRunners(): readonly HubRunner[] | undefined {
  const { runners } = useRunners();
  const me = useMe();
  return useMemo(() => {
    if (runners === undefined || me === undefined) return undefined;
    const rank = (runner: HubRunner) => Number(runner.isServer === true) * 2 + Number(runner.isConnected);
    return runners.filter((runner) => mayUse(runner, me)).toSorted((one, other) => rank(other) - rank(one));
  }, [runners, me]);
}
