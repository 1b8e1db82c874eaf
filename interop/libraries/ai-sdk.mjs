import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AugmentLanguageModel } from '@augmentcode/auggie-sdk';
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const options = { baseURL: `${url}/v1`, apiKey: token };
const models = {
  openai: () => createOpenAI(options)('default'),
  'openai-chat': () => createOpenAI(options).chat('default'),
  compatible: () => createOpenAICompatible({ name: 'dragoman', ...options })('default'),
  anthropic: () => createAnthropic(options)('default'),
  google: () => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: token })('default'),
  augment: () => new AugmentLanguageModel('default', { apiKey: token, apiUrl: `${url}/` }),
};
const result = streamText({
  model: models[process.argv[2]](),
  prompt,
  stopWhen: isStepCount(5),
  tools: { read_file: tool({ description: DESCRIPTION, inputSchema: jsonSchema(PARAMETERS), execute: readFile }) },
  onError({ error }) {
    console.error(error);
    process.exitCode = 1;
  },
});
console.log(await result.text);
