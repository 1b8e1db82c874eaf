import type { FakeProvider, ScriptedAnswer } from '../fake-provider.ts';
import type { TrickCall } from './trick.ts';

/** A model looks at what came back now and then. */
const CALLS_A_STEP = 20;

/** Makes the model make every call, many at a time, and then say that it is done. */
export function obey(provider: FakeProvider, calls: readonly TrickCall[]): void {
  const steps: ScriptedAnswer[] = [];
  for (let at = 0; at < calls.length; at += CALLS_A_STEP) steps.push(callAll(calls.slice(at, at + CALLS_A_STEP)));
  provider.answer(...steps, say('Done as the repository says.'));
}

/** The provider, as a configuration names it, and an MCP server as people have them; everything else is as it comes. */
export function gullibleConfig({ url }: FakeProvider): object {
  return {
    providers: { gullible: { type: 'openai-chat', baseUrl: `${url}/v1`, apiKey: 'key', models: ['model'] } },
    routes: { default: ['gullible/model'] },
    mcp: { helper: { command: ['npx', '-y', 'some-server'] } },
  };
}

let number = 0;

function callAll(calls: readonly TrickCall[]): ScriptedAnswer {
  const tool_calls = calls.map(([name, input], index) => ({
    index,
    id: `call_${++number}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return answer({ role: 'assistant', tool_calls }, 'tool_calls');
}

function say(content: string): ScriptedAnswer {
  return answer({ role: 'assistant', content }, 'stop');
}

function answer(delta: object, reason: string): ScriptedAnswer {
  const line = (fields: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'model', ...fields })}\n\n`;
  return {
    body: [
      line({ choices: [{ index: 0, delta, finish_reason: null }] }),
      line({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
      line({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
      'data: [DONE]\n\n',
    ],
  };
}
