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

const FIELDS = ['background', 'client_metadata', 'context_management', 'conversation', 'include', 'input', 'instructions', 'max_output_tokens', 'max_tool_calls', 'metadata', 'model', 'parallel_tool_calls', 'previous_response_id', 'prompt', 'prompt_cache_key', 'prompt_cache_retention', 'reasoning', 'safety_identifier', 'service_tier', 'store', 'stream', 'stream_options', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation', 'user']; // prettier-ignore

/** Kinds of tools that run at the service or are built into it. */
const BUILT_IN = [
  'web_search',
  'web_search_preview',
  'file_search',
  'local_shell',
  'image_generation',
  'code_interpreter',
  'mcp',
  'tool_search',
  'shell',
  'apply_patch',
];

/** OpenAI's Responses. */
export const responses: Protocol = {
  read(body) {
    refuseUnknown(body, FIELDS, '');
    const input =
      typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : objects(body['input'], 'input');
    const given = [
      ...objects(body['tools'], 'tools'),
      ...input.flatMap((item) =>
        item['type'] === 'additional_tools' || item['type'] === 'tool_search_output'
          ? objects(item['tools'], 'tools')
          : [],
      ),
    ];
    offered = new Map(given.flatMap((tool) => offersOf(tool)));
    const { format } = (body['text'] ?? {}) as { format?: { schema?: Json } };
    return {
      ...readItems(input),
      tools: [...offered.keys()],
      isStreamed: body['stream'] === true,
      schema: format?.schema,
    };
  },
  stream(said) {
    const id = newId('resp_');
    let sequence = 0;
    const event = (type: string, data: Json) => serverSentEvent({ type, sequence_number: sequence++, ...data }, type);
    const output = itemsOf(said);
    const pieces = output.flatMap((item, index) => [
      event('response.output_item.added', {
        output_index: index,
        item: { ...item, status: 'in_progress', ...emptied(item) },
      }),
      ...deltasOf(item).map(([type, data]) => event(type, { item_id: item['id'], output_index: index, ...data })),
      event('response.output_item.done', { output_index: index, item }),
    ]);
    return [
      event('response.created', { response: responseOf(id, 'in_progress', []) }),
      event('response.in_progress', { response: responseOf(id, 'in_progress', []) }),
      ...pieces,
      event('response.completed', { response: responseOf(id, 'completed', output) }),
    ];
  },
  whole: (said) => responseOf(newId('resp_'), 'completed', itemsOf(said)),
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
};

/** The tools of the request that is being answered, by the names that a script gives them. */
let offered: ReadonlyMap<string, Offer> = new Map();

interface Offer {
  namespace?: string;
  name: string;
  kind: 'function' | 'custom' | 'search';
}

function offersOf(tool: Json): [string, Offer][] {
  const [type, name] = [tool['type'] as string, tool['name'] as string];
  if (type === 'function' || type === 'custom') {
    checkToolNames([name]);
    return [[name, { name, kind: type }]];
  }
  if (type === 'namespace') {
    return objects(tool['tools'], 'tools').flatMap((inner) =>
      offersOf(inner).map(([, offer]): [string, Offer] => [
        name === 'functions' ? offer.name : `${name}__${offer.name}`,
        { ...offer, namespace: name },
      ]),
    );
  }
  if (type === 'tool_search' && tool['execution'] === 'client') return [[type, { name: type, kind: 'search' }]];
  if (BUILT_IN.includes(type)) return [];
  throw new Refusal(`Unknown type of tool ${JSON.stringify(type)}.`);
}

function itemsOf(said: Said): Json[] {
  if (typeof said === 'string') {
    return [
      {
        id: newId('msg_'),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: said, annotations: [] }],
      },
    ];
  }
  return said.map((call) => {
    const { namespace, name, kind } = offered.get(call.name)!;
    const ids = { id: newId('item_'), call_id: newId('call_'), status: 'completed' };
    if (kind === 'search') return { ...ids, type: 'tool_search_call', execution: 'client', arguments: call.input };
    const named = { ...ids, name, ...(namespace !== undefined && { namespace }) };
    return kind === 'custom'
      ? { ...named, type: 'custom_tool_call', input: String(call.input['input']) }
      : { ...named, type: 'function_call', arguments: JSON.stringify(call.input) };
  });
}

function emptied(item: Json): Json {
  if (item['type'] === 'message') return { content: [] };
  if (item['type'] === 'tool_search_call') return {};
  return item['type'] === 'function_call' ? { arguments: '' } : { input: '' };
}

function deltasOf(item: Json): [string, Json][] {
  if (item['type'] === 'message') {
    const text = textOf(item['content']);
    const part = { type: 'output_text', text, annotations: [] };
    return [
      ['response.content_part.added', { content_index: 0, part: { ...part, text: '' } }],
      ...halves(text).map((delta): [string, Json] => ['response.output_text.delta', { content_index: 0, delta }]),
      ['response.output_text.done', { content_index: 0, text }],
      ['response.content_part.done', { content_index: 0, part }],
    ];
  }
  if (item['type'] === 'tool_search_call') return [];
  const [event, field] =
    item['type'] === 'function_call' ? ['function_call_arguments', 'arguments'] : ['custom_tool_call_input', 'input'];
  const whole = item[field] as string;
  return [
    ...halves(whole).map((delta): [string, Json] => [`response.${event}.delta`, { delta }]),
    [`response.${event}.done`, { [field]: whole }],
  ];
}

function responseOf(id: string, status: string, output: readonly Json[]): Json {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  return {
    id,
    object: 'response',
    created_at: 1,
    status,
    model: 'scripted',
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    error: null,
    incomplete_details: null,
    usage: status === 'completed' ? usage : null,
  };
}

const CALLS = ['function_call', 'custom_tool_call', 'tool_search_call'];

/** Each call has its output and each output its call. */
function readItems(items: readonly Json[]): Pick<Asked, 'userText' | 'results'> {
  let userText = '';
  let results: string[][] = [];
  const open = new Set<string>();
  let isCalling = false;
  for (const item of items) {
    const type = (item['type'] ?? 'message') as string;
    if (type === 'message') {
      isCalling = false;
      if (item['role'] === 'user') {
        userText += `${textOf(item['content'])}\n`;
        results = [];
      }
    } else if (CALLS.includes(type)) {
      if (!isCalling) results.push([]);
      isCalling = true;
      open.add(item['call_id'] as string);
    } else if (CALLS.includes(type.replace(/_output$/, type === 'tool_search_output' ? '_call' : ''))) {
      isCalling = false;
      if (!open.delete(item['call_id'] as string))
        throw new Refusal(`No tool call found for the output with call_id ${String(item['call_id'])}.`);
      results.at(-1)!.push(textOf(item['output']) || JSON.stringify(item['tools'] ?? ''));
    } else if (!['reasoning', 'additional_tools', 'item_reference', 'compaction'].includes(type))
      throw new Refusal(`Unknown type of item ${JSON.stringify(type)}.`);
  }
  if (open.size > 0) throw new Refusal(`No tool output found for the call ${[...open].join(', ')}.`);
  return { userText, results };
}
