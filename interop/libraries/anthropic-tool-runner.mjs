import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const client = new Anthropic({ baseURL: url, apiKey: token });
const message = await client.beta.messages.toolRunner({
  model: 'default',
  max_tokens: 1000,
  messages: [{ role: 'user', content: prompt }],
  tools: [betaTool({ name: 'read_file', description: DESCRIPTION, inputSchema: PARAMETERS, run: readFile })],
});
console.log(message.content.map(({ text }) => text ?? '').join(''));
