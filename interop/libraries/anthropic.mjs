import Anthropic from '@anthropic-ai/sdk';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const client = new Anthropic({ baseURL: url, apiKey: token });
const tools = [{ name: 'read_file', description: DESCRIPTION, input_schema: PARAMETERS }];
const messages = [{ role: 'user', content: prompt }];
for (let turn = 0; turn < 5; turn += 1) {
  const message = await client.messages.stream({ model: 'default', max_tokens: 1000, messages, tools }).finalMessage();
  messages.push({ role: 'assistant', content: message.content });
  const calls = message.content.filter(({ type }) => type === 'tool_use');
  if (calls.length === 0) {
    console.log(message.content.map(({ text }) => text ?? '').join(''));
    break;
  }
  messages.push({
    role: 'user',
    content: calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: readFile(input) })),
  });
}
