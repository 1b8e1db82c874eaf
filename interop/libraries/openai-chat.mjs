import OpenAI from 'openai';
import { DESCRIPTION, PARAMETERS, prompt, readFile, token, url } from './place.mjs';

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token });
const runner = client.chat.completions.runTools({
  model: 'default',
  stream: true,
  messages: [{ role: 'user', content: prompt }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'read_file',
        description: DESCRIPTION,
        parameters: PARAMETERS,
        parse: JSON.parse,
        function: readFile,
      },
    },
  ],
});
console.log(await runner.finalContent());
