import type { ModelCall } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import { ANTHROPIC_FATES } from '../anthropic-messages/fates.ts';
import { CHAT_FATES } from '../openai-chat/fates.ts';
import { RESPONSES_FATES } from '../openai-responses/fates.ts';
import { type SettingFates, weighSettings } from './setting-fates.ts';

const call: ModelCall = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] };
const tool = { name: 'look', description: '', inputSchema: {} };

/** What is left out of a call for a model, at an address. */
const leftOut = (fates: SettingFates, model: string, settings: Partial<ModelCall>, baseUrl?: string) =>
  weighSettings({ ...call, ...settings }, testTarget(baseUrl === undefined ? {} : { baseUrl }, model), fates).leftOut;

describe('what a model is not told depends on its name', () => {
  test('a Claude that thinks, or is new, takes no sampling', () => {
    const sampling = { temperature: 0.5, topK: 7 };
    expect(leftOut(ANTHROPIC_FATES, 'claude-sonnet-4', sampling)).toEqual([]);
    expect(leftOut(ANTHROPIC_FATES, 'claude-sonnet-4', { ...sampling, reasoningEffort: 'high' })).toEqual([
      'temperature',
      'topK',
    ]);
    expect(leftOut(ANTHROPIC_FATES, 'claude-opus-4-8', sampling)).toEqual(['temperature', 'topK']);
    expect(leftOut(ANTHROPIC_FATES, 'claude-sonnet-4-5', { temperature: 0.5, topP: 0.5 })).toEqual(['topP']);
  });

  test('a Claude with a budget does not think where it must call a tool, or has too little room', () => {
    const effort = { reasoningEffort: 'high' as const };
    expect(leftOut(ANTHROPIC_FATES, 'claude-sonnet-4', effort)).toEqual([]);
    expect(leftOut(ANTHROPIC_FATES, 'claude-sonnet-4', { ...effort, maxOutputTokens: 100 })).toEqual([
      'reasoningEffort',
    ]);
    expect(
      leftOut(ANTHROPIC_FATES, 'claude-sonnet-4', { ...effort, tools: [tool], toolChoice: { type: 'required' } }),
    ).toEqual(['reasoningEffort']);
    expect(leftOut(ANTHROPIC_FATES, 'claude-3-5-haiku', effort)).toEqual(['reasoningEffort']);
  });

  test('an old Claude cannot be held to the schema of a tool', () => {
    const strict = { tools: [{ ...tool, strict: true }] };
    expect(leftOut(ANTHROPIC_FATES, 'claude-opus-4-1', strict)).toEqual([]);
    expect(() => leftOut(ANTHROPIC_FATES, 'claude-sonnet-4', strict)).toThrow(
      'strictTools: claude-sonnet-4 does not support strict tool schemas; leave it out, or use a newer model.',
    );
  });

  test('a model of OpenAI that reasons takes no sampling, and another no effort', () => {
    expect(leftOut(RESPONSES_FATES, 'gpt-5', { temperature: 0.5, topP: 0.5 })).toEqual(['temperature', 'topP']);
    expect(leftOut(RESPONSES_FATES, 'gpt-4.1', { temperature: 0.5, reasoningEffort: 'low' })).toEqual([
      'reasoningEffort',
    ]);
  });
});

test('what a service that speaks Chat Completions is not told depends on its address', () => {
  const settings = { topK: 7, minP: 0.1, verbosity: 'low' as const, serviceTier: 'flex', endUser: 'u' };
  expect(leftOut(CHAT_FATES, 'm', settings, 'https://api.openai.com/v1')).toEqual(['topK', 'minP']);
  expect(leftOut(CHAT_FATES, 'm', settings, 'https://openrouter.ai/api/v1')).toEqual([]);
  expect(leftOut(CHAT_FATES, 'm', settings, 'http://127.0.0.1:8000/v1')).toEqual(['topK', 'minP']);
  expect(leftOut(CHAT_FATES, 'm', settings, 'https://api.mistral.ai/v1')).toEqual([
    'topK',
    'minP',
    'verbosity',
    'serviceTier',
    'endUser',
  ]);
});

test('what providers do anyway is not asked for', () => {
  const usual = { topK: 0, presencePenalty: 0, frequencyPenalty: 0, stopSequences: [''], allowsParallelTools: true };
  expect(weighSettings({ ...call, ...usual }, testTarget({}, 'gpt-5'), RESPONSES_FATES)).toEqual({
    leftOut: [],
    doneHere: [],
  });
});
