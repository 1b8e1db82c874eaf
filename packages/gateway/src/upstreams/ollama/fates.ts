import type { SettingFates } from '../settings/setting-fates.ts';

export const OLLAMA_FATES: SettingFates = {
  // The model is told to, and an answer without a call is none.
  toolChoice: ({ toolChoice }) => (toolChoice?.type === 'none' ? 'translated' : 'done-here'),
  allowsParallelTools: 'left-out', // Who takes a list of calls can take several.
  strictTools: { refused: 'a provider of type "ollama" does not support strict tool schemas; leave it out.' },
  temperature: 'passed-on',
  topP: 'passed-on',
  topK: 'passed-on',
  minP: 'passed-on',
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
  thoughts: 'passed-on',
};
