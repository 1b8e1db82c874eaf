import { describe, expect, test } from 'vitest';
import { askClient } from './ask-client.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { continueCli } from './clients/continue.ts';
import { geminiCli } from './clients/gemini-cli.ts';
import { library } from './clients/library.ts';
import { opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { qwenCode } from './clients/qwen-code.ts';
import type { Client } from './clients/run-client.ts';
import { FAILURE, SCENARIOS } from './scenarios.ts';
import { PROTOCOL_NAMES } from './upstream/scripted-upstreams.ts';

const PROGRAMS: Readonly<Record<string, Client>> = {
  codex: codex(),
  'gemini-cli': geminiCli,
  'opencode (chat)': opencode('chat'),
  'opencode (messages)': opencode('messages'),
  'opencode (responses)': opencode('responses'),
  'qwen (openai)': qwenCode('openai'),
  'qwen (anthropic)': qwenCode('anthropic'),
  'pi (chat)': pi('openai-completions'),
  'pi (responses)': pi('openai-responses'),
  'pi (messages)': pi('anthropic-messages'),
  'continue (openai)': continueCli('openai'),
  'continue (anthropic)': continueCli('anthropic'),
  cline,
  'openai runTools': library('openai-chat'),
  'openai responses': library('openai-responses'),
  '@anthropic-ai/sdk': library('anthropic'),
  '@anthropic-ai/sdk toolRunner': library('anthropic-tool-runner'),
  '@google/genai': library('google-genai'),
  ollama: library('ollama'),
  'ai @ai-sdk/openai': library('ai-sdk', 'openai'),
  'ai @ai-sdk/openai chat': library('ai-sdk', 'openai-chat'),
  'ai @ai-sdk/openai-compatible': library('ai-sdk', 'compatible'),
  'ai @ai-sdk/anthropic': library('ai-sdk', 'anthropic'),
  'ai @ai-sdk/google': library('ai-sdk', 'google'),
  'ai @augmentcode/auggie-sdk': library('ai-sdk', 'augment'),
  '@langchain/openai': library('langchain', 'openai'),
  '@langchain/openai responses': library('langchain', 'responses'),
  '@langchain/anthropic': library('langchain', 'anthropic'),
  '@langchain/google-genai': library('langchain', 'google'),
  '@langchain/ollama': library('langchain', 'ollama'),
  '@openai/agents responses': library('openai-agents', 'responses'),
  '@openai/agents chat': library('openai-agents', 'chat_completions'),
};

describe.each(Object.entries(PROGRAMS))('%s', (_name, client) => {
  describe.each(PROTOCOL_NAMES)('on %s', (protocol) => {
    test.each(Object.entries(SCENARIOS))('%s', async (_title, { script, reads }) => {
      const { output, refusals } = await askClient(client, protocol, script);

      expect(refusals).toEqual([]);
      for (const text of reads) expect(output).toContain(text);
    });

    test('tells of a 500, or goes on asking', async () => {
      const { output, refusals, asked } = await askClient(client, protocol, FAILURE);

      expect(refusals).toEqual([]);
      expect(asked).toBeGreaterThan(0);
      expect(output).not.toContain('The word is plum.');
    });
  });
});
