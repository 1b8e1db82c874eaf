import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const OLLAMA_SETTING_NAMES: SettingNames = {
  temperature: 'options.temperature',
  topP: 'options.top_p',
  topK: 'options.top_k',
  minP: 'options.min_p',
  presencePenalty: 'options.presence_penalty',
  frequencyPenalty: 'options.frequency_penalty',
  stopSequences: 'options.stop',
  seed: 'options.seed',
  reasoningEffort: 'think',
  responseFormat: 'format',
  thoughts: 'messages.thinking',
};
