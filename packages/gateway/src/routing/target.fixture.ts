import { z } from 'zod';
import { gatewayConfigShape, type GatewayConfig } from '../config/gateway-config.ts';
import type { Target } from './target.ts';

/** A gateway configuration with what the test sets and defaults for the rest. */
function testConfig(config: z.input<typeof schema> = {}): GatewayConfig {
  return schema.parse(config);
}

/** A target at a provider like the ones people configure. */
export function testTarget(
  provider: Partial<
    z.input<typeof schema>['providers'] extends infer P ? (P extends Record<string, infer V> ? V : never) : never
  > = {},
  model = 'test-model',
): Target {
  const { providers } = testConfig({
    providers: { test: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k', ...provider } },
  });
  return { providerName: 'test', provider: providers['test']!, model };
}

const schema = z.strictObject(gatewayConfigShape);
