/** The services by their short names. */
type PresetId = 'anthropic' | 'openai' | 'gemini' | 'openrouter' | 'deepseek' | 'ollama' | 'compatible';

/** A service that can be set up by its name. */
export interface ProviderPreset {
  /** The name it gets in the settings, unless there is one already. */
  id: PresetId;
  /** What the service calls itself; the same in every language. */
  title: string | undefined;
  /** The protocol; see `providers.NAME.type` of the settings. */
  type: string;
  /** Where it is, when that is not what the protocol knows by itself. */
  baseUrl?: string;
  /** `optional` where it depends on who runs it. */
  key: 'required' | 'optional' | 'none';
  /** Where a key is made. */
  keysAt?: string;
  /** The address is for the person to say. */
  asksAddress?: boolean;
  /** Which model to suggest: the first of these that is on offer. */
  likes: readonly RegExp[];
}

/** The services, the usual ones first. `compatible` is for all others. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  {
    id: 'anthropic',
    title: 'Anthropic',
    type: 'anthropic-messages',
    key: 'required',
    keysAt: 'https://platform.claude.com/settings/keys',
    likes: [/^claude-sonnet-/, /^claude-.*sonnet/, /^claude-/],
  },
  {
    id: 'openai',
    title: 'OpenAI',
    type: 'openai-chat',
    key: 'required',
    keysAt: 'https://platform.openai.com/api-keys',
    likes: [/^gpt-5(\.\d+)?$/, /^gpt-[\d.]+(-mini)?$/, /^gpt-/],
  },
  {
    id: 'gemini',
    title: 'Google Gemini',
    type: 'gemini',
    key: 'required',
    keysAt: 'https://aistudio.google.com/apikey',
    likes: [/^gemini-[\d.]+-pro$/, /^gemini-[\d.]+-flash$/, /^gemini-/],
  },
  {
    id: 'openrouter',
    title: 'OpenRouter',
    type: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'required',
    keysAt: 'https://openrouter.ai/settings/keys',
    likes: [/^anthropic\/claude-sonnet/, /^openai\/gpt-/],
  },
  {
    id: 'deepseek',
    title: 'DeepSeek',
    type: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    key: 'required',
    keysAt: 'https://platform.deepseek.com/api_keys',
    likes: [/^deepseek-chat$/, /^deepseek-/],
  },
  {
    id: 'ollama',
    title: 'Ollama',
    type: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    key: 'none',
    asksAddress: true,
    likes: [/coder/, /qwen|gpt-oss|llama/],
  },
  { id: 'compatible', title: undefined, type: 'openai-chat', key: 'optional', asksAddress: true, likes: [] },
];

/** The model to suggest of those that a service has. */
export function suggestModel(models: readonly string[], { likes }: Pick<ProviderPreset, 'likes'>): string | undefined {
  for (const liked of likes) {
    const found = models.find((model) => liked.test(model));
    if (found !== undefined) return found;
  }
  return models[0];
}

/** A name nobody has yet: `openai`, `openai-2`, … */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  let number = 2;
  while (taken.includes(`${wanted}-${number}`)) number++;
  return `${wanted}-${number}`;
}
