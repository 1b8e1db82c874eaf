import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueCli } from './continue.ts';
import { geminiCli } from './gemini-cli.ts';
import { library } from './library.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';
import type { Client } from './run-client.ts';

/** Programs that people run, in each of the protocols that they can be told to speak. */
export const PROGRAMS: Readonly<Record<string, Client>> = {
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
};

/** Libraries that programs are made with, each with one of the protocols that it speaks. */
export const LIBRARIES: Readonly<Record<string, Client>> = {
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
