import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const RESPONSES_SETTING_NAMES: SettingNames = {
  toolChoice: 'tool_choice',
  allowsParallelTools: 'parallel_tool_calls',
  strictTools: 'tools.strict',
  temperature: 'temperature',
  topP: 'top_p',
  reasoningEffort: 'reasoning.effort',
  responseFormat: 'text.format',
  strictFormat: 'text.format.strict',
  verbosity: 'text.verbosity',
  serviceTier: 'service_tier',
  endUser: 'safety_identifier',
  imageDetail: 'input.detail',
  thoughts: 'input.reasoning',
};
