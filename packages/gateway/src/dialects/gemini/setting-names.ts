import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const GEMINI_SETTING_NAMES: SettingNames = {
  toolChoice: 'toolConfig.functionCallingConfig.mode',
  temperature: 'generationConfig.temperature',
  topP: 'generationConfig.topP',
  topK: 'generationConfig.topK',
  presencePenalty: 'generationConfig.presencePenalty',
  frequencyPenalty: 'generationConfig.frequencyPenalty',
  stopSequences: 'generationConfig.stopSequences',
  seed: 'generationConfig.seed',
  reasoningEffort: 'generationConfig.thinkingConfig',
  responseFormat: 'generationConfig.responseMimeType',
  thoughts: 'contents.parts.thought',
};
