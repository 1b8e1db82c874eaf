import type { Target } from '../../routing/target.ts';
import { areThoughts } from '../settings/call-settings.ts';
import type { SettingFate, SettingFates } from '../settings/setting-fates.ts';
import { chatService } from './chat-service.ts';

const newer = (_: unknown, { provider }: Target): SettingFate =>
  chatService(provider).takesNewerFields ? 'passed-on' : 'left-out';
const openSampling = (_: unknown, { provider }: Target): SettingFate =>
  chatService(provider).takesOpenSampling ? 'passed-on' : 'left-out';

export const CHAT_FATES: SettingFates = {
  toolChoice: 'passed-on',
  allowsParallelTools: 'passed-on',
  strictTools: 'passed-on',
  temperature: 'passed-on',
  topP: 'passed-on',
  topK: openSampling,
  minP: openSampling,
  presencePenalty: 'passed-on',
  frequencyPenalty: 'passed-on',
  stopSequences: 'passed-on',
  seed: 'passed-on',
  // Most services know no word for not thinking at all.
  reasoningEffort: ({ reasoningEffort }) => (reasoningEffort === 'none' ? 'left-out' : 'passed-on'),
  responseFormat: 'passed-on',
  strictFormat: 'passed-on',
  verbosity: newer,
  serviceTier: newer,
  endUser: newer,
  cacheControl: 'left-out',
  imageDetail: 'passed-on',
  thoughts: (call) => (areThoughts(call, 'openaiChat', 'reasoningDetails') ? 'passed-on' : 'left-out'),
};
