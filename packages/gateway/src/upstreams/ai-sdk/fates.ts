import type { SettingFates } from '../settings/setting-fates.ts';
import { stopHere } from '../settings/stop-here.ts';
import type { AiSdkVersion } from './wire.ts';

/** What the common language of the packages has words for; they say themselves what they make of it. */
export function aiSdkFates(version: AiSdkVersion): SettingFates {
  return version === 'v4' ? V4 : version === 'v3' ? V3 : V2;
}

const V4: SettingFates = {
  // Some packages pass over it, so that we look, too.
  toolChoice: ({ toolChoice }) => (toolChoice?.type === 'none' ? 'passed-on' : 'done-here'),
  allowsParallelTools: 'left-out', // Who takes a list of calls can take several.
  strictTools: 'passed-on',
  temperature: 'passed-on',
  topP: 'passed-on',
  topK: 'passed-on',
  minP: 'left-out',
  presencePenalty: 'passed-on',
  frequencyPenalty: 'passed-on',
  stopSequences: stopHere, // The same.
  seed: 'passed-on',
  reasoningEffort: 'passed-on',
  responseFormat: 'passed-on',
  strictFormat: 'translated', // The packages ask for it wherever there is a schema.
  verbosity: 'left-out',
  serviceTier: 'left-out',
  endUser: 'left-out',
  cacheControl: 'passed-on',
  imageDetail: 'passed-on',
  thoughts: 'passed-on',
};

const V3: SettingFates = { ...V4, reasoningEffort: 'left-out' };

const V2: SettingFates = {
  ...V3,
  strictTools: {
    refused: 'this package of the AI SDK is too old for strict tool schemas; leave it out.',
  },
};
