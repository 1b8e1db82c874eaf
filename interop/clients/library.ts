import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './run-client.ts';

const PACKAGES = {
  '@ai-sdk/anthropic': '4.0.102',
  '@ai-sdk/google': '4.0.118',
  '@ai-sdk/openai': '4.0.115',
  '@ai-sdk/openai-compatible': '3.0.90',
  '@anthropic-ai/sdk': '1.9.0',
  '@augmentcode/auggie-sdk': '0.1.15',
  '@google/genai': '3.1.0',
  '@langchain/anthropic': '1.5.11',
  '@langchain/core': '1.2.13',
  '@langchain/google-genai': '2.3.2',
  '@langchain/ollama': '1.3.0',
  '@langchain/openai': '1.6.0',
  '@openai/agents': '0.20.0',
  ai: '7.0.170',
  ollama: '0.6.4',
  openai: '7.55.0',
  zod: '4.6.7',
};

/** A program of a page that uses a library as its documentation shows, with one tool that reads a file. */
export function library(program: string, ...args: readonly string[]): Client {
  return {
    packages: PACKAGES,
    command({ bin, url, token, prompt }) {
      // Node looks for packages beside the program.
      const beside = join(bin, '../..');
      cpSync(join(import.meta.dirname, '../libraries'), beside, { recursive: true });
      return {
        program: process.execPath,
        args: [join(beside, `${program}.mjs`), ...args],
        env: { DRAGOMAN_URL: url, DRAGOMAN_TOKEN: token, PROMPT: prompt },
      };
    },
  };
}
