import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const ANTHROPIC_SETTING_NAMES: SettingNames = {
  toolChoice: 'tool_choice',
  allowsParallelTools: 'tool_choice.disable_parallel_tool_use',
  strictTools: 'tools.strict',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop_sequences',
  reasoningEffort: 'thinking',
  responseFormat: 'output_config.format',
  serviceTier: 'service_tier',
  endUser: 'metadata.user_id',
  cacheControl: 'cache_control',
  thoughts: 'messages.thinking',
};
