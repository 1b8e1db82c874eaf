import type { z } from 'zod';
import type { GatewayConfig } from './gateway-config.ts';

/** Every route leads to a provider that is there. Runs with the checks of the whole configuration. */
export function checkRoutes(context: z.core.ParsePayload<Pick<GatewayConfig, 'providers' | 'routes'>>): void {
  const { providers, routes } = context.value;
  for (const [name, route] of Object.entries(routes)) {
    const [targets, path] = Array.isArray(route)
      ? [route, ['routes', name]]
      : [route.targets, ['routes', name, 'targets']];
    for (const [index, target] of targets.entries()) {
      const provider = target.slice(0, target.indexOf('/'));
      if (provider === 'offline' || Object.hasOwn(providers, provider)) continue;
      context.issues.push({
        code: 'custom',
        path: [...path, index],
        message: `there is no provider named "${provider}"`,
        input: target,
      });
    }
  }
}
