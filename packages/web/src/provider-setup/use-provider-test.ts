import type { Fault } from '@dragoman/protocol';
import type { ProviderDraft } from '@dragoman/protocol/console';
import { useState } from 'react';
import { type AnswerOf, useAction } from '../api/calls.ts';

/** How a test went. */
export interface ProviderTest {
  /** The models the service has, where it tells. */
  models: readonly string[];
  /** Whether the service tells its models; undefined where it could not be asked for them. */
  isListing?: boolean | undefined;
  /** Why it does not tell, or why no call could be made. */
  problem?: Fault | undefined;
  /** What a model answered. */
  answer?: AnswerOf<'testModel'> | undefined;
  /** The model that was asked. */
  model?: string | undefined;
}

/** Reasons why a service may not tell its models and yet answer. */
const STILL_WORTH_ASKING = ['not-offered', 'not-found', 'misread', 'refused'];

/** Tests a provider: asks for its models, then one of them for a word. */
export function useProviderTest(): {
  test: (provider: string | ProviderDraft, choose: (models: readonly string[]) => string | undefined) => void;
  isBusy: boolean;
  outcome: ProviderTest | undefined;
  error: Error | undefined;
  forget: () => void;
} {
  const listing = useAction('listProviderModels');
  const asking = useAction('testModel', { changes: ['readGateway'] });
  const [outcome, setOutcome] = useState<ProviderTest>();

  const run = async (
    provider: string | ProviderDraft,
    choose: (models: readonly string[]) => string | undefined,
  ): Promise<void> => {
    const { models, problem } = await listing.mutateAsync({ provider });
    const model = choose(models);
    const isPointless = problem !== undefined && !STILL_WORTH_ASKING.includes(problem.code);
    const isListing = isPointless ? undefined : models.length > 0;
    if (model === undefined || isPointless) return setOutcome({ models, isListing, problem });
    setOutcome({ models, isListing });
    const answer = await asking.mutateAsync({ provider, model });
    setOutcome({ models, isListing, model, answer, problem: answer.problem });
  };

  return {
    test(provider, choose) {
      setOutcome(undefined);
      asking.reset();
      run(provider, choose).catch(() => {}); // Told by `error`.
    },
    isBusy: listing.isPending || asking.isPending,
    outcome,
    error: listing.error ?? asking.error ?? undefined,
    forget: () => setOutcome(undefined),
  };
}
