import { GoogleGenAI } from '@google/genai';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const client = new GoogleGenAI({ apiKey: token, httpOptions: { baseUrl: url, retryOptions: { attempts: 5 } } });
const declaration = { name: 'read_file', description: DESCRIPTION, parametersJsonSchema: PARAMETERS };
const chat = client.chats.create({ model: 'default', config: { tools: [{ functionDeclarations: [declaration] }] } });
let message = prompt;
for (let turn = 0; turn < 5; turn += 1) {
  const calls = [];
  let text = '';
  for await (const chunk of await chat.sendMessageStream({ message })) {
    calls.push(...(chunk.functionCalls ?? []));
    text += chunk.candidates?.[0]?.content?.parts?.map((part) => part.text ?? '').join('') ?? '';
  }
  if (calls.length === 0) {
    console.log(text);
    break;
  }
  message = calls.map(({ id, name, args }) => ({
    functionResponse: { id, name, response: { output: readFile(args) } },
  }));
}
