import type { GatewayConfig } from '../../config/gateway-config.ts';
import { listModelNames } from '../../routing/resolve-route.ts';

const LATEST = ':latest';

/** The name that is meant: clients add `:latest` to one that has no tag. */
export function askedModel(name: string, config: GatewayConfig): string {
  if (!name.endsWith(LATEST)) return name;
  const bare = name.slice(0, -LATEST.length);
  const names = listModelNames(config);
  return names.includes(bare) && !names.includes(name) ? bare : name;
}
