import { matchesModel, type ModelPatterns } from '@dragoman/protocol';
import { type Caller, tellModels } from '@dragoman/server/base';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { allProviders, findRoute, listModelNames, resolveRoute, type Route } from '../routing/resolve-route.ts';
import { noSuchModel } from '../routing/no-such-model.ts';
import { targetName } from '../routing/target.ts';
import { RefusedCall } from './refused-call.ts';

/** Who asks, as far as it decides which models there are for them. */
export type ModelAsker = Pick<Caller, 'models' | 'tokenName'>;

/** Finds the targets for a model name, as `resolveRoute` does, and refuses one that the caller's token may not use. */
export function resolveAllowed(asked: string, config: GatewayConfig, asker: ModelAsker): Route {
  if (asker.models === undefined) return resolveRoute(asked, config);
  const route = findRoute(asked, config);
  if (route !== undefined) return refuseForbidden(route, config, asker);
  throw matchesModel(asker.models, asked)
    ? noSuchModel(asked, listAllowed(config, asker))
    : forbidden(asked, asker.models, asker);
}

/** Gives back a route that the caller's token may use. */
export function refuseForbidden(route: Route, config: GatewayConfig, asker: ModelAsker): Route {
  const { models } = asker;
  if (models === undefined || isAllowed(route, config, models)) return route;
  throw forbidden(route.name, models, asker);
}

/** The names that the caller can choose from: of all there are, and those that the token itself names. */
export function listAllowed(config: GatewayConfig, { models }: Pick<Caller, 'models'>): string[] {
  const names = listModelNames(config);
  if (models === undefined) return names;
  const named = models.filter((pattern) => !pattern.endsWith('*'));
  return [...new Set([...names, ...named])].filter((name) => {
    const route = findRoute(name, config);
    return route !== undefined && isAllowed(route, config, models);
  });
}

function isAllowed(route: Route, config: GatewayConfig, models: ModelPatterns): boolean {
  return namesOf(route, config).some((name) => matchesModel(models, name));
}

/**
 * The names that a route goes by. Behind the name of a provider stands a model of that provider or nobody: whoever may use
 * its models must not get to others by asking it for one that it does not have.
 */
function namesOf({ name, targets, isDirect }: Route, config: GatewayConfig): string[] {
  const [target] = targets;
  const own = isDirect && target !== undefined ? [targetName(target)] : [];
  const isProviders = Object.hasOwn(allProviders(config), name.slice(0, Math.max(0, name.indexOf('/'))));
  return isProviders && !Object.hasOwn(config.routes, name) ? own : [name, ...own];
}

function forbidden(asked: string, models: ModelPatterns, { tokenName }: ModelAsker): RefusedCall {
  return new RefusedCall(
    'forbidden',
    `The token "${tokenName}" cannot use the model ${JSON.stringify(asked.slice(0, 200))}. It can use: ${tellModels(models)}.`,
  );
}
