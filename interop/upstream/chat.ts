import {
  type Asked,
  checkToolNames,
  halves,
  type Json,
  newId,
  objects,
  type Protocol,
  Refusal,
  refuseUnknown,
  type Said,
  serverSentEvent,
  textOf,
} from './asked.ts';

const FIELDS = ['audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs', 'max_completion_tokens', 'max_tokens', 'messages', 'metadata', 'modalities', 'model', 'n', 'parallel_tool_calls', 'prediction', 'presence_penalty', 'prompt_cache_key', 'prompt_cache_retention', 'reasoning_effort', 'response_format', 'safety_identifier', 'seed', 'service_tier', 'stop', 'store', 'stream', 'stream_options', 'temperature', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'user', 'verbosity', 'web_search_options']; // prettier-ignore

/** OpenAI's Chat Completions. */
export const chat: Protocol = {
  read(body) {
    refuseUnknown(body, FIELDS, '');
    const tools = objects(body['tools'], 'tools').map((tool) => {
      if (tool['type'] !== 'function' && tool['type'] !== 'custom')
        throw new Refusal(`Unknown type of tool ${JSON.stringify(tool['type'])}.`);
      return (tool[tool['type']] as Json)['name'] as string;
    });
    checkToolNames(tools);
    if (body['tools'] !== undefined && tools.length === 0) throw new Refusal('tools: [] is too short.');
    for (const field of ['tool_choice', 'parallel_tool_calls']) {
      if (body[field] !== undefined && tools.length === 0)
        throw new Refusal(`${field} is only allowed when tools are given.`);
    }
    if (body['stream_options'] !== undefined && body['stream'] !== true)
      throw new Refusal('stream_options is only allowed when stream is on.');
    const format = body['response_format'] as { json_schema?: { schema: Json } } | undefined;
    return {
      ...readMessages(objects(body['messages'], 'messages')),
      tools,
      isStreamed: body['stream'] === true,
      schema: format?.json_schema?.schema,
    };
  },
  stream(said) {
    const id = newId('chatcmpl-');
    const chunk = (delta: Json, finish: string | null = null) =>
      serverSentEvent({
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const pieces =
      typeof said === 'string'
        ? halves(said).map((content) => chunk({ content }))
        : said.flatMap(({ name, input }, index) => [
            chunk({ tool_calls: [{ index, id: newId('call_'), type: 'function', function: { name, arguments: '' } }] }),
            ...halves(JSON.stringify(input)).map((text) =>
              chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
            ),
          ]);
    const usage = serverSentEvent({
      id,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [],
      usage: USAGE,
    });
    return [chunk({ role: 'assistant', content: '' }), ...pieces, chunk({}, finishOf(said)), usage, 'data: [DONE]\n\n'];
  },
  whole(said) {
    const message =
      typeof said === 'string'
        ? { role: 'assistant', content: said }
        : {
            role: 'assistant',
            content: null,
            tool_calls: said.map(({ name, input }) => ({
              id: newId('call_'),
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          };
    return {
      id: newId('chatcmpl-'),
      object: 'chat.completion',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, message, finish_reason: finishOf(said) }],
      usage: USAGE,
    };
  },
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
};

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const finishOf = (said: Said) => (typeof said === 'string' ? 'stop' : 'tool_calls');

/** Calls are answered at once and each once, and nothing is answered that was not called. */
function readMessages(messages: readonly Json[]): Pick<Asked, 'userText' | 'results'> {
  if (messages.length === 0) throw new Refusal('messages: [] is too short.');
  let userText = '';
  let results: string[][] = [];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = message['role'];
    if (role === 'tool') {
      const id = message['tool_call_id'] as string;
      if (!open.includes(id))
        throw new Refusal(`messages[${index}]: a message of role tool must follow the message with its tool_calls.`);
      open = open.filter((waiting) => waiting !== id);
      results.at(-1)!.push(textOf(message['content']));
      continue;
    }
    if (open.length > 0) throw new Refusal(`messages[${index}]: the calls ${open.join(', ')} have no answer.`);
    if (role === 'user') {
      userText += `${textOf(message['content'])}\n`;
      results = [];
    } else if (role === 'assistant') {
      open = objects(message['tool_calls'], 'tool_calls').map((call) => call['id'] as string);
      if (open.length > 0) results.push([]);
      if (typeof message['content'] !== 'string' && !Array.isArray(message['content']) && open.length === 0)
        throw new Refusal(`messages[${index}]: an assistant message needs content or tool_calls.`);
    } else if (role !== 'system' && role !== 'developer')
      throw new Refusal(`messages[${index}]: unknown role ${JSON.stringify(role)}.`);
  }
  if (open.length > 0) throw new Refusal(`The calls ${open.join(', ')} have no answer.`);
  return { userText, results };
}
