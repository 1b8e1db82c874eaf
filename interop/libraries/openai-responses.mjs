import OpenAI from 'openai';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token });
const tools = [{ type: 'function', name: 'read_file', description: DESCRIPTION, parameters: PARAMETERS, strict: true }];
const input = [{ role: 'user', content: prompt }];
for (let turn = 0; turn < 5; turn += 1) {
  const response = await client.responses.stream({ model: 'default', input, tools, store: false }).finalResponse();
  input.push(...response.output);
  const calls = response.output.filter(({ type }) => type === 'function_call');
  if (calls.length === 0) {
    console.log(response.output_text);
    break;
  }
  for (const call of calls) {
    input.push({ type: 'function_call_output', call_id: call.call_id, output: readFile(JSON.parse(call.arguments)) });
  }
}
