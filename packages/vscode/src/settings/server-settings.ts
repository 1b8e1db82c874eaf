import type { Settings } from './settings-store.ts';

/** What a server is started with. */
export interface ServerSettings {
  /** As in dragoman.json; keys only as `{env:NAME}`. */
  configuration: object;
  /** The keys themselves. */
  environment: Record<string, string>;
}

/** The provider that the items describe has this name in the server's configuration. */
export const PROVIDER = 'byok';

const API_KEY = 'DRAGOMAN_BYOK_API_KEY';
const AUGMENT_TOKEN = 'DRAGOMAN_BYOK_AUGMENT_TOKEN';
const SYSTEM_PROMPT = 'DRAGOMAN_BYOK_SYSTEM_PROMPT';

/**
 * The items as the server reads them.
 *
 * One model serves every name a client asks for. Until there is a model to ask, the offline one answers. A system prompt
 * that looks like a reference goes by the environment too: what is put in place of a reference is not looked into again.
 */
export function toServerSettings(settings: Settings): ServerSettings {
  const { systemPromptBase, augmentBaseUrl, searchWithRipgrep, apiKey, augmentToken, temperature, maxTokens } =
    settings;
  const isConfigured = hasProvider(settings);
  const isReference = /\{(?:env|file|secret):/.test(systemPromptBase);
  const route = {
    targets: [isConfigured ? `${PROVIDER}/${settings.model}` : 'offline/offline'],
    ...given('temperature', temperature),
    ...given('maxTokens', maxTokens),
  };
  const augment = {
    ...given('systemPromptBase', isReference ? `{env:${SYSTEM_PROMPT}}` : systemPromptBase),
    ...given('baseUrl', augmentBaseUrl),
    ...given('token', isGiven(augmentToken) ? `{env:${AUGMENT_TOKEN}}` : undefined),
  };
  return {
    configuration: {
      ...given('providers', isConfigured ? { [PROVIDER]: toProvider(settings) } : undefined),
      routes: { default: route, '*': route },
      ...given('retrieval', searchWithRipgrep ? { engine: 'ripgrep', editorFolders: true } : undefined),
      ...given('augment', Object.keys(augment).length === 0 ? undefined : augment),
    },
    environment: {
      ...given(API_KEY, isConfigured ? apiKey : undefined),
      ...given(AUGMENT_TOKEN, augmentToken),
      ...given(SYSTEM_PROMPT, isReference ? systemPromptBase : undefined),
    },
  };
}

/** Whether there is a model to ask, and a place or an account to ask it of. */
export function hasProvider({ model, baseUrl, apiKey }: Settings): boolean {
  return model !== '' && (baseUrl !== '' || isGiven(apiKey));
}

function toProvider({ baseUrl, apiKey, model }: Settings): object {
  return {
    type: 'openai-chat',
    ...given('baseUrl', baseUrl),
    ...given('apiKey', isGiven(apiKey) ? `{env:${API_KEY}}` : undefined),
    models: [model],
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '';
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return isGiven(value) ? ({ [name]: value } as { [Key in Name]: Value }) : {};
}
