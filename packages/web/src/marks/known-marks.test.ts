import { expect, test } from 'vitest';
import { markOfAgent, markOfModel } from './known-marks.ts';

const AGENTS =
  'chat ollama claude codex opencode gemini copilot qwen qoder pi cline kimi goose cursor grok auggie'.split(' ');

test('no two agents that come with the product look the same', () => {
  const looks = AGENTS.map((name) => markOfAgent(name));
  expect(new Set(looks.map(({ letters }) => letters)).size).toBe(AGENTS.length);
  expect(new Set(looks.map(({ hue }) => hue)).size).toBe(AGENTS.length);
});

test('an agent looks the same over another protocol, and one that nobody knows has letters of its name', () => {
  expect(markOfAgent('claude-acp', 'Claude Code (ACP)')).toEqual(markOfAgent('claude', 'Claude Code'));
  expect(markOfAgent('mine', 'My Helper')).toMatchObject({ letters: 'MH' });
  expect(markOfAgent('mine', 'My Helper')).toEqual(markOfAgent('mine', 'My Helper'));
});

test('a model looks like others of its maker, wherever it is asked', () => {
  expect(markOfModel('claude-sonnet-5')).toEqual(markOfModel('openrouter/anthropic/claude-opus'));
  expect(markOfModel('openai/gpt-5')).toMatchObject({ letters: 'OA' });
  expect(markOfModel('gpt-5')).not.toEqual(markOfModel('deepseek-chat'));
  expect(markOfModel('scripted/test-model')).toMatchObject({ letters: 'TM' });
});

test('names in any script have a mark, and so have names without letters', () => {
  expect(markOfAgent('助手')).toMatchObject({ letters: '助' });
  expect(markOfAgent('--')).toMatchObject({ letters: '?' });
  expect(markOfModel('')).toMatchObject({ letters: '?' });
});
