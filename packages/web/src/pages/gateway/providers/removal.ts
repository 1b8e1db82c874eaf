import type { RouteInfo, SettingChange } from '@dragoman/protocol/console';

/** What becomes of a route when a provider goes. */
export interface RouteAfter {
  route: string;
  /** Targets of other providers. */
  left: number;
}

/** The routes that lead to a provider, and how many targets each would still have. */
export function routesUsing(provider: string, routes: readonly RouteInfo[]): RouteAfter[] {
  return routes
    .filter(({ targets }) => targets.some((target) => leadsTo(provider, target)))
    .map(({ name, targets }) => ({ route: name, left: targets.filter((target) => !leadsTo(provider, target)).length }));
}

/** What is to be changed in the settings so that a provider is gone and no route leads to it. */
export function removalOf(provider: string, settings: Readonly<Record<string, unknown>>): SettingChange[] {
  const changes: SettingChange[] = [{ path: ['providers', provider] }];
  for (const [name, route] of Object.entries(recordIn(settings['routes']))) {
    const isList = Array.isArray(route);
    const targets: unknown = isList ? route : recordIn(route)['targets'];
    if (!Array.isArray(targets)) continue;
    const left = targets.filter((target): target is string => typeof target === 'string' && !leadsTo(provider, target));
    if (left.length === targets.length) continue;
    if (left.length === 0) changes.push({ path: ['routes', name] });
    else changes.push({ path: isList ? ['routes', name] : ['routes', name, 'targets'], value: left });
    if (left.length === 0 || isList) continue;
    for (const target of Object.keys(recordIn(recordIn(route)['weights'])))
      if (leadsTo(provider, target)) changes.push({ path: ['routes', name, 'weights', target] });
  }
  return changes;
}

/** Secrets that were made for this provider here. One that somebody named themselves may be used elsewhere, and stays. */
export function secretsOf(provider: string, settings: Readonly<Record<string, unknown>>): string[] {
  const text = JSON.stringify(recordIn(settings['providers'])[provider] ?? null);
  const names = [...text.matchAll(/\{secret:([^{}]+)\}/g)].map(([, name]) => name!);
  const made = `providers.${provider.replace(/[^\w.-]/g, '_')}.`;
  return [...new Set(names)].filter((name) => name.startsWith(made));
}

function leadsTo(provider: string, target: string): boolean {
  return target.startsWith(`${provider}/`);
}

function recordIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
