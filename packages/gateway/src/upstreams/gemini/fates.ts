import { areThoughts } from '../settings/call-settings.ts';
import type { SettingFates } from '../settings/setting-fates.ts';

export const GEMINI_FATES: SettingFates = {
  toolChoice: 'translated',
  allowsParallelTools: 'left-out', // Who takes a list of calls can take several.
  strictTools: 'translated',
  temperature: 'passed-on',
  topP: 'passed-on',
  topK: 'passed-on',
  minP: 'left-out',
  presencePenalty: 'passed-on',
  frequencyPenalty: 'passed-on',
  stopSequences: 'passed-on',
  seed: 'passed-on',
  reasoningEffort: 'translated',
  responseFormat: 'translated',
  strictFormat: 'translated', // A schema is always kept to.
  verbosity: 'left-out',
  serviceTier: 'left-out',
  endUser: 'left-out',
  cacheControl: 'left-out',
  imageDetail: 'left-out',
  thoughts: (call) => (areThoughts(call, 'google', 'thoughtSignature') ? 'passed-on' : 'left-out'),
};
