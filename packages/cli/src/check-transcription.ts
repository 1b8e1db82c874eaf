import { type GatewayConfig, transcriberProblem } from '@dragoman/gateway/setup';
import type { HubConfig } from '@dragoman/hub/setup';
import type { z } from 'zod';

/** What writes voice messages down is a provider that is there and can do it. Runs with the checks of the whole configuration. */
export function checkTranscription(
  context: z.core.ParsePayload<Pick<GatewayConfig, 'providers'> & Pick<HubConfig, 'channels'>>,
): void {
  const { providers, channels } = context.value;
  const model = channels?.transcription;
  const problem = model === undefined ? undefined : transcriberProblem(model, providers);
  if (problem !== undefined)
    context.issues.push({
      code: 'custom',
      path: ['channels', 'transcription'],
      message: problem,
      input: model,
    });
}
