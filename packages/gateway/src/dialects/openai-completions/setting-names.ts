import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const COMPLETION_SETTING_NAMES: SettingNames = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
  seed: 'seed',
  endUser: 'user',
};
