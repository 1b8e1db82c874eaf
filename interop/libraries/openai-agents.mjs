import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

setTracingDisabled(true);
setDefaultOpenAIClient(new OpenAI({ baseURL: `${url}/v1`, apiKey: token }));
setOpenAIAPI(process.argv[2]);
const agent = new Agent({
  name: 'Reader',
  model: 'default',
  instructions: 'Do what you are told.',
  tools: [
    tool({ name: 'read_file', description: DESCRIPTION, parameters: PARAMETERS, strict: true, execute: readFile }),
  ],
});
const result = await run(agent, prompt, { stream: true });
await result.completed;
console.log(result.finalOutput);
