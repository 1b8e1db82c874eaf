import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOllama } from '@langchain/ollama';
import { ChatOpenAI } from '@langchain/openai';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const configuration = { baseURL: `${url}/v1` };
const models = {
  openai: () => new ChatOpenAI({ model: 'default', apiKey: token, configuration }),
  responses: () => new ChatOpenAI({ model: 'default', apiKey: token, configuration, useResponsesApi: true }),
  anthropic: () => new ChatAnthropic({ model: 'default', apiKey: token, anthropicApiUrl: url }),
  google: () => new ChatGoogleGenerativeAI({ model: 'default', apiKey: token, baseUrl: url }),
  ollama: () => new ChatOllama({ model: 'default', baseUrl: url, headers: { authorization: `Bearer ${token}` } }),
};
const reader = tool(readFile, { name: 'read_file', description: DESCRIPTION, schema: PARAMETERS });
const model = models[process.argv[2]]().bindTools([reader]);
const messages = [new HumanMessage(prompt)];
for (let turn = 0; turn < 5; turn += 1) {
  let answer;
  for await (const chunk of await model.stream(messages)) answer = answer === undefined ? chunk : answer.concat(chunk);
  messages.push(answer);
  if (answer.tool_calls.length === 0) {
    console.log(answer.text);
    break;
  }
  for (const call of answer.tool_calls) messages.push(await reader.invoke(call));
}
