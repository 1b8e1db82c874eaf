import type { UsageRow } from '@dragoman/protocol/console';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { findPrice } from '../prices/find-price.ts';

/** Of models that were used, those with a provider here whose price nobody knows, the most used first. */
export function listUnpriced(byModel: readonly UsageRow[], { providers }: Pick<GatewayConfig, 'providers'>): string[] {
  return byModel
    .filter(({ key, unpricedCalls }) => unpricedCalls > 0 && hasNoPrice(key, providers))
    .toSorted((one, other) => other.unpricedCalls - one.unpricedCalls)
    .map(({ key }) => key);
}

function hasNoPrice(target: string, providers: GatewayConfig['providers']): boolean {
  const slash = target.indexOf('/');
  const [providerName, model] = [target.slice(0, Math.max(0, slash)), target.slice(slash + 1)];
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  return provider !== undefined && findPrice({ providerName, provider, model }) === undefined;
}
