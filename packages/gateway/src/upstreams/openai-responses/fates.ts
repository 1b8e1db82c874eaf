import type { ModelCall } from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { areThoughts } from '../settings/call-settings.ts';
import type { SettingFate, SettingFates } from '../settings/setting-fates.ts';
import { stopHere } from '../settings/stop-here.ts';
import { openAiModel } from './openai-model.ts';

const sampling = ({ reasoningEffort }: ModelCall, { model }: Target): SettingFate =>
  openAiModel(model, reasoningEffort).takesSampling ? 'passed-on' : 'left-out';

export const RESPONSES_FATES: SettingFates = {
  toolChoice: 'passed-on',
  allowsParallelTools: 'passed-on',
  strictTools: 'passed-on',
  temperature: sampling,
  topP: sampling,
  topK: 'left-out',
  minP: 'left-out',
  presencePenalty: 'left-out',
  frequencyPenalty: 'left-out',
  stopSequences: stopHere,
  seed: 'left-out',
  reasoningEffort: ({ reasoningEffort }, { model }) =>
    openAiModel(model, reasoningEffort).canReason ? 'passed-on' : 'left-out',
  responseFormat: 'passed-on',
  strictFormat: 'passed-on',
  verbosity: 'passed-on',
  serviceTier: 'passed-on',
  endUser: 'passed-on',
  cacheControl: 'left-out',
  imageDetail: 'passed-on',
  thoughts: (call) => (areThoughts(call, 'openai', 'encryptedContent') ? 'passed-on' : 'left-out'),
};
