import type { ContextConfig } from '@dragoman/context/setup';
import { embedderProblem, type GatewayConfig } from '@dragoman/gateway/setup';
import type { z } from 'zod';

/** What makes vectors of code is a provider that is there and can do it. Runs with the checks of the whole configuration. */
export function checkEmbedding(
  context: z.core.ParsePayload<Pick<GatewayConfig, 'providers'> & Pick<ContextConfig, 'retrieval'>>,
): void {
  const { providers, retrieval } = context.value;
  const model = retrieval?.embedding?.model;
  // Where it is no "provider/model" at all, that was said.
  const problem = model !== undefined && model.indexOf('/') > 0 ? embedderProblem(model, providers) : undefined;
  if (problem !== undefined)
    context.issues.push({
      code: 'custom',
      path: ['retrieval', 'embedding', 'model'],
      message: problem,
      input: model,
    });
}
