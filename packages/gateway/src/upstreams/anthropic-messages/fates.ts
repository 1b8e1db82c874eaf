import type { ModelCall } from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { areThoughts } from '../settings/call-settings.ts';
import type { SettingFate, SettingFates } from '../settings/setting-fates.ts';
import { stopHere } from '../settings/stop-here.ts';
import { claudeModel } from './claude-model.ts';
import { encodeThinking, type ThinkingFields } from './encode-thinking.ts';
import { encodeTurns } from './encode-turns.ts';

/** A model that thinks takes none of these. */
const sampling = (call: ModelCall, { model }: Target): SettingFate => {
  const thinks = (thinkingOf(call, model).thinking ?? { type: 'disabled' }).type !== 'disabled';
  return claudeModel(model).takesSampling && !thinks ? 'passed-on' : 'left-out';
};

export const ANTHROPIC_FATES: SettingFates = {
  toolChoice: 'translated',
  allowsParallelTools: 'translated',
  strictTools: (_, { model }) =>
    claudeModel(model).takesStrictTools
      ? 'passed-on'
      : { refused: `${model} does not support strict tool schemas; leave it out, or use a newer model.` },
  temperature: sampling,
  topP: (call, target) =>
    call.temperature !== undefined && !claudeModel(target.model).takesTemperatureWithTopP
      ? 'left-out'
      : sampling(call, target),
  topK: sampling,
  minP: 'left-out',
  presencePenalty: 'left-out',
  frequencyPenalty: 'left-out',
  // White space is refused as a sequence.
  stopSequences: (call) =>
    call.stopSequences?.some((stop) => stop !== '' && stop.trim() === '') ? stopHere(call) : 'passed-on',
  seed: 'left-out',
  reasoningEffort: (call, { model }) => {
    const { thinking, effort } = thinkingOf(call, model);
    return thinking === undefined && effort === undefined ? 'left-out' : 'translated';
  },
  responseFormat: 'translated',
  strictFormat: 'translated', // A schema is always kept to.
  verbosity: 'left-out',
  serviceTier: ({ serviceTier }) => (serviceTier === 'default' ? 'translated' : 'left-out'),
  endUser: 'translated',
  cacheControl: 'passed-on',
  imageDetail: 'left-out',
  thoughts: (call) => (areThoughts(call, 'anthropic', 'signature', 'redactedData') ? 'passed-on' : 'left-out'),
};

/** Only how the conversation ends matters. */
function thinkingOf(call: ModelCall, model: string): ThinkingFields {
  const answer = call.prompt.findLastIndex((message) => message.role === 'assistant');
  const before = call.prompt.findLastIndex((message, index) => message.role !== 'assistant' && index < answer);
  return encodeThinking(call, model, answer === -1 ? [] : encodeTurns(call.prompt.slice(before + 1)));
}
