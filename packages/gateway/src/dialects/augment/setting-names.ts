import type { SettingNames } from '../../upstreams/settings/call-settings.ts';

export const AUGMENT_SETTING_NAMES: SettingNames = {
  allowsParallelTools: 'enable_parallel_tool_use',
  reasoningEffort: 'reasoning_effort',
  thoughts: 'chat_history.response_nodes.thinking',
};
