import type { ProviderConfig } from '../config/gateway-config.ts';

/** A model at a provider: what a route leads to. */
export interface Target {
  providerName: string;
  provider: ProviderConfig;
  model: string;
}

export function targetName(target: Target): string {
  return `${target.providerName}/${target.model}`;
}
