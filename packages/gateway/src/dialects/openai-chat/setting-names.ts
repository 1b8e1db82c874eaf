import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const CHAT_SETTING_NAMES: SettingNames = {
  toolChoice: 'tool_choice',
  allowsParallelTools: 'parallel_tool_calls',
  strictTools: 'tools.function.strict',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
  seed: 'seed',
  reasoningEffort: 'reasoning_effort',
  responseFormat: 'response_format',
  strictFormat: 'response_format.json_schema.strict',
  verbosity: 'verbosity',
  serviceTier: 'service_tier',
  endUser: 'user',
  cacheControl: 'cache_control',
  imageDetail: 'messages.image_url.detail',
  thoughts: 'messages.reasoning_content',
};
