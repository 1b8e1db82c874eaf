import { DragomanError } from '@dragoman/protocol/error';
import type { ProviderInfo, RouteInfo } from '@dragoman/protocol/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../../../api/calls.ts';
import { client } from '../../../api/client.ts';
import { firstToTalk, modelToTest } from './model-to-test.ts';
import { providersWords } from './providers-words.ts';

/** One small real call to a provider; where nobody named a model of it, the provider is asked for one first. */
export function useTestProvider(provider: ProviderInfo, routes: readonly RouteInfo[]) {
  const words = providersWords.use();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<AnswerOf<'testModel'>> => {
      const { name } = provider;
      const known = modelToTest(provider, routes);
      if (known !== undefined) return client.testModel({ model: known, provider: name });
      const startedAt = performance.now();
      const { models, problem } = await client.listProviderModels({ provider: name });
      const found = firstToTalk(models);
      if (found !== undefined) return client.testModel({ model: found, provider: name });
      if (problem === undefined) throw new DragomanError('not-found', words.noModels);
      return { isWell: false, text: '', target: name, totalMs: performance.now() - startedAt, problem };
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['readGateway'] }),
  });
}
