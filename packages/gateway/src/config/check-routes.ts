import type { z } from 'zod';
import { type GatewayConfig, TARGET_FORM } from './gateway-config.ts';

type Context = z.core.ParsePayload<Pick<GatewayConfig, 'providers' | 'routes'>>;

/** Every route leads to a provider that is there, and weighs targets that it has. Runs with the checks of the whole configuration. */
export function checkRoutes(context: Context): void {
  const { providers, routes } = context.value;
  for (const [name, route] of Object.entries(routes)) {
    const [targets, path] = Array.isArray(route)
      ? [route, ['routes', name]]
      : [route.targets, ['routes', name, 'targets']];
    for (const [index, target] of targets.entries()) {
      if (!TARGET_FORM.test(target)) continue; // The schema has told of it.
      const provider = target.slice(0, target.indexOf('/'));
      if (provider === 'offline' || Object.hasOwn(providers, provider)) continue;
      context.issues.push({
        code: 'custom',
        path: [...path, index],
        message: `there is no provider named "${provider}"`,
        input: target,
      });
    }
    if (!Array.isArray(route)) checkWeights(context, name, route);
  }
}

function checkWeights(
  { issues }: Context,
  name: string,
  { targets, policy, weights }: Exclude<GatewayConfig['routes'][string], readonly string[]>,
): void {
  if (weights === undefined) return;
  const path = ['routes', name, 'weights'];
  if (policy !== 'weight')
    issues.push({ code: 'custom', path, message: 'weights only work with the policy "weight"', input: weights });
  for (const target of Object.keys(weights)) {
    if (targets.includes(target)) continue;
    const message = `"${target}" is not a target of this route`;
    issues.push({ code: 'custom', path: [...path, target], message, input: target });
  }
}
