import type { ProviderDraft, SettingChange, Settings } from '@dragoman/protocol/console';
import type { InputOf } from '../api/calls.ts';
import type { ProviderPreset } from './provider-presets.ts';

/** What somebody fills in about a provider. */
export interface ProviderForm {
  name: string;
  type: string;
  baseUrl: string;
  /** In the clear, for as long as the form is open; empty keeps the one that is there. */
  apiKey: string;
  /** In the order they are tried. */
  models: readonly string[];
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
    place: hasDefault ? 'last' : 'first',
  };
}

/** The form of a provider that is in the settings. */
export function savedForm(name: string, { settings }: Settings): ProviderForm {
  const provider = providerOf(name, settings);
  const models = Array.isArray(provider['models']) ? (provider['models'] as unknown[]) : [];
  return {
    name,
    type: typeof provider['type'] === 'string' ? provider['type'] : 'openai-chat',
    baseUrl: typeof provider['baseUrl'] === 'string' ? provider['baseUrl'] : '',
    apiKey: '',
    models: models.filter((model) => typeof model === 'string' && model !== '*') as string[],
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

/** The change of the settings that a form asks for. The key goes where secrets are kept, and is referred to. */
export function changesOf(
  form: ProviderForm,
  { settings, version }: Settings,
  isNew: boolean,
): InputOf<'changeSettings'> {
  const name = form.name.trim();
  const apiKey = form.apiKey.trim();
  const baseUrl = form.baseUrl.trim();
  const secret = `providers.${name.replace(/[^\w.-]/g, '_')}.apiKey`;
  // Any other name is passed on, unless somebody has decided otherwise.
  const listed = isNew ? undefined : providerOf(name, settings)['models'];
  const isClosed = form.models.length > 0 && Array.isArray(listed) && !listed.includes('*');
  const models = isClosed ? form.models : [...form.models, '*'];
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
            models: [...models],
          },
        },
      ]
    : [
        { path: at('type'), value: form.type },
        baseUrl === '' ? { path: at('baseUrl') } : { path: at('baseUrl'), value: baseUrl },
        ...(apiKey === '' ? [] : [{ path: at('apiKey'), value: reference }]),
        { path: at('models'), value: [...models] },
      ];
  changes.push(...routeChanges(form, name, settings['routes']));
  return { version, changes, ...(apiKey !== '' && { secrets: { [secret]: apiKey } }) };
}

function routeChanges({ models, place }: ProviderForm, name: string, routes: unknown): SettingChange[] {
  if (place === 'none' || models.length === 0) return [];
  const route = isRecord(routes) ? routes['default'] : undefined;
  const isLong = isRecord(route);
  const before = (isLong ? route['targets'] : route) ?? [];
  const mine = models.map((model) => `${name}/${model}`);
  const others = (Array.isArray(before) ? (before as string[]) : []).filter((target) => !mine.includes(target));
  const targets = place === 'first' ? [...mine, ...others] : [...others, ...mine];
  return [{ path: ['routes', 'default', ...(isLong ? ['targets'] : [])], value: targets }];
}

function providerOf(name: string, settings: Settings['settings']): Record<string, unknown> {
  const providers = settings['providers'];
  const found = isRecord(providers) ? providers[name] : undefined;
  return isRecord(found) ? found : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
