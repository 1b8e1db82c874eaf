import { Ollama } from 'ollama';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const client = new Ollama({ host: url, headers: { authorization: `Bearer ${token}` } });
const tools = [{ type: 'function', function: { name: 'read_file', description: DESCRIPTION, parameters: PARAMETERS } }];
const messages = [{ role: 'user', content: prompt }];
for (let turn = 0; turn < 5; turn += 1) {
  const answer = { role: 'assistant', content: '', tool_calls: [] };
  for await (const { message } of await client.chat({ model: 'default', messages, tools, stream: true })) {
    answer.content += message.content ?? '';
    answer.tool_calls.push(...(message.tool_calls ?? []));
  }
  messages.push(answer);
  if (answer.tool_calls.length === 0) {
    console.log(answer.content);
    break;
  }
  for (const call of answer.tool_calls) {
    messages.push({ role: 'tool', tool_name: call.function.name, content: readFile(call.function.arguments) });
  }
}
