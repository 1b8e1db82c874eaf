import type { ProviderDraft, SettingChange, Settings } from '@dragoman/protocol/console';
import type { InputOf } from '../api/calls.ts';
import type { ProviderPreset } from './provider-presets.ts';

export type OtherModels = 'listed' | 'none' | 'any';

/** More names than a configuration takes in one list are left out. */
const MOST_LISTED = 900;
/** Where nothing says which of its models a provider is asked for first, so few are all of them. */
const FEW = 8;

/** What somebody fills in about a provider. */
export interface ProviderForm {
  name: string;
  type: string;
  baseUrl: string;
  /** In the clear, for as long as the form is open; empty keeps the one that is there. */
  apiKey: string;
  /** In the order they are tried. */
  models: readonly string[];
  /** Which other names may be asked for: those that the service lists, none, or any at all. */
  others: OtherModels;
  /** What becomes of the route `default`: asked first, asked when the others fail, or left as it is. */
  place: 'first' | 'last' | 'none';
}

/** An empty form for a service. */
export function newForm(preset: ProviderPreset, name: string, hasDefault: boolean): ProviderForm {
  return {
    name,
    type: preset.type,
    baseUrl: preset.baseUrl ?? '',
    apiKey: '',
    models: [],
    others: 'listed',
    place: hasDefault ? 'last' : 'first',
  };
}

/** The form of a provider that is in the settings. */
export function savedForm(name: string, { settings }: Settings): ProviderForm {
  const provider = providerOf(name, settings);
  const saved = savedModels(name, settings);
  const asked = defaultTargets(settings['routes']).flatMap((target) =>
    target.startsWith(`${name}/`) ? [target.slice(name.length + 1)] : [],
  );
  const first = saved.names.filter((model) => asked.includes(model));
  const models = first.length > 0 ? first : saved.names.slice(0, saved.names.length > FEW ? 1 : FEW);
  return {
    name,
    type: typeof provider['type'] === 'string' ? provider['type'] : 'openai-chat',
    baseUrl: typeof provider['baseUrl'] === 'string' ? provider['baseUrl'] : '',
    apiKey: '',
    models,
    others: saved.takesAny ? 'any' : models.length < saved.names.length ? 'listed' : 'none',
    place: 'none',
  };
}

/** Whether a key is kept for a provider. */
export function hasKey(name: string, { settings }: Settings): boolean {
  return providerOf(name, settings)['apiKey'] !== undefined;
}

/**
 * Who is asked when the form is tested: the provider as it was filled in, or the saved one where nothing but its kept
 * key could tell them apart.
 */
export function testedProvider(form: ProviderForm, saved: ProviderForm | undefined): string | ProviderDraft {
  const isAsSaved =
    saved !== undefined && form.apiKey === '' && form.type === saved.type && form.baseUrl === saved.baseUrl;
  return isAsSaved ? saved.name : draftOf(form);
}

function draftOf({ type, baseUrl, apiKey }: ProviderForm): ProviderDraft {
  return {
    type,
    ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
    ...(apiKey.trim() !== '' && { apiKey: apiKey.trim() }),
  };
}

/**
 * The change of the settings that a form asks for. The key goes where secrets are kept, and is referred to. `offered` is what
 * the service lists; where that is not known, the names that were saved before stay.
 */
export function changesOf(
  form: ProviderForm,
  { settings, version }: Settings,
  isNew: boolean,
  offered: readonly string[],
): InputOf<'changeSettings'> {
  const name = form.name.trim();
  const apiKey = form.apiKey.trim();
  const baseUrl = form.baseUrl.trim();
  const secret = `providers.${name.replace(/[^\w.-]/g, '_')}.apiKey`;
  const saved = isNew ? [] : savedModels(name, settings).names;
  const models = servedModels(form, offered.length > 0 ? offered : saved);
  const reference = `{secret:${secret}}`;
  const at = (key: string) => ['providers', name, key];
  const changes: SettingChange[] = isNew
    ? [
        {
          path: ['providers', name],
          value: {
            type: form.type,
            ...(baseUrl !== '' && { baseUrl }),
            ...(apiKey !== '' && { apiKey: reference }),
            models,
          },
        },
      ]
    : [
        { path: at('type'), value: form.type },
        baseUrl === '' ? { path: at('baseUrl') } : { path: at('baseUrl'), value: baseUrl },
        ...(apiKey === '' ? [] : [{ path: at('apiKey'), value: reference }]),
        { path: at('models'), value: models },
      ];
  changes.push(...routeChanges(form, name, settings['routes']));
  return { version, changes, ...(apiKey !== '' && { secrets: { [secret]: apiKey } }) };
}

/** The names that the provider is saved with, those that are tried first in front. */
function servedModels({ models, others }: ProviderForm, listed: readonly string[]): string[] {
  if (others === 'any') return [...models, '*'];
  return others === 'none' ? [...models] : [...new Set([...models, ...listed])].slice(0, MOST_LISTED);
}

/** Without a list, any name is passed on. */
function savedModels(name: string, settings: Settings['settings']): { names: string[]; takesAny: boolean } {
  const listed = providerOf(name, settings)['models'];
  if (!Array.isArray(listed)) return { names: [], takesAny: true };
  const names = listed.filter((model) => typeof model === 'string' && model !== '*') as string[];
  return { names, takesAny: listed.includes('*') };
}

function defaultTargets(routes: unknown): string[] {
  const route = isRecord(routes) ? routes['default'] : undefined;
  const targets = isRecord(route) ? route['targets'] : route;
  return Array.isArray(targets) ? (targets as string[]) : [];
}

function routeChanges({ models, place }: ProviderForm, name: string, routes: unknown): SettingChange[] {
  if (place === 'none' || models.length === 0) return [];
  const route = isRecord(routes) ? routes['default'] : undefined;
  const mine = models.map((model) => `${name}/${model}`);
  const others = defaultTargets(routes).filter((target) => !mine.includes(target));
  const targets = place === 'first' ? [...mine, ...others] : [...others, ...mine];
  return [{ path: ['routes', 'default', ...(isRecord(route) ? ['targets'] : [])], value: targets }];
}

function providerOf(name: string, settings: Settings['settings']): Record<string, unknown> {
  const providers = settings['providers'];
  const found = isRecord(providers) ? providers[name] : undefined;
  return isRecord(found) ? found : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
