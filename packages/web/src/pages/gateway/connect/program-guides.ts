import type { ClientGuide, Connection, GuideStep, NoteName } from './client-guide.ts';
import { inScript, inShell } from './quoting.ts';

const QUESTION = 'Say hello.';

/** For programs that people write themselves. */
export const PROGRAM_GUIDES: readonly ClientGuide[] = [
  {
    id: 'openai-typescript',
    title: 'OpenAI SDK, TypeScript',
    steps: ({ url, token, model }) => [
      install('npm install openai'),
      script([
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: ${inScript(`${url}/v1`)}, apiKey: ${inScript(token)} });`,
        'const answer = await client.chat.completions.create({',
        `  model: ${inScript(model)},`,
        `  messages: [{ role: 'user', content: ${inScript(QUESTION)} }],`,
        '});',
        'console.log(answer.choices[0]?.message.content);',
      ]),
    ],
  },
  {
    id: 'openai-python',
    title: 'OpenAI SDK, Python',
    steps: ({ url, token, model }) => [
      install('pip install openai'),
      python([
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url=${JSON.stringify(`${url}/v1`)}, api_key=${JSON.stringify(token)})`,
        'answer = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        `    messages=[{"role": "user", "content": ${JSON.stringify(QUESTION)}}],`,
        ')',
        'print(answer.choices[0].message.content)',
      ]),
    ],
  },
  {
    id: 'anthropic-typescript',
    title: 'Anthropic SDK, TypeScript',
    steps: ({ url, token, model }) => [
      install('npm install @anthropic-ai/sdk'),
      script([
        "import Anthropic from '@anthropic-ai/sdk';",
        '',
        `const client = new Anthropic({ baseURL: ${inScript(url)}, apiKey: ${inScript(token)} });`,
        'const answer = await client.messages.create({',
        `  model: ${inScript(model)},`,
        '  max_tokens: 1024,',
        `  messages: [{ role: 'user', content: ${inScript(QUESTION)} }],`,
        '});',
        "console.log(answer.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));",
      ]),
    ],
  },
  {
    id: 'anthropic-python',
    title: 'Anthropic SDK, Python',
    steps: ({ url, token, model }) => [
      install('pip install anthropic'),
      python([
        'from anthropic import Anthropic',
        '',
        `client = Anthropic(base_url=${JSON.stringify(url)}, api_key=${JSON.stringify(token)})`,
        'answer = client.messages.create(',
        `    model=${JSON.stringify(model)},`,
        '    max_tokens=1024,',
        `    messages=[{"role": "user", "content": ${JSON.stringify(QUESTION)}}],`,
        ')',
        'print("".join(part.text for part in answer.content if part.type == "text"))',
      ]),
    ],
  },
  {
    id: 'curl',
    title: 'curl',
    steps(connection) {
      const { url, model } = connection;
      const messages = [{ role: 'user', content: QUESTION }];
      return [
        curl('shell', connection, `${url}/v1/chat/completions`, { model, messages }),
        curl('messages', connection, `${url}/v1/messages`, { model, max_tokens: 1024, messages }),
        curl('models', connection, `${url}/v1/models`),
      ];
    },
  },
];

function curl(note: NoteName, { token }: Connection, address: string, body?: object): GuideStep {
  const lines = [
    `curl ${inShell(address)}`,
    `-H ${inShell(`Authorization: Bearer ${token}`)}`,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${inShell(JSON.stringify(body))}`]),
  ];
  return { note, code: { text: lines.join(' \\\n  '), language: 'bash' } };
}

function install(command: string): GuideStep {
  return { note: 'install', code: { text: command, language: 'bash' } };
}

function script(lines: string[]): GuideStep {
  return { note: 'program', code: { text: lines.join('\n'), language: 'typescript' } };
}

function python(lines: string[]): GuideStep {
  return { note: 'program', code: { text: lines.join('\n'), language: 'python' } };
}
