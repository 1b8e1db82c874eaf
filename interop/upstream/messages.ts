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

const FIELDS = ['cache_control', 'container', 'context_management', 'inference_geo', 'max_tokens', 'mcp_servers', 'messages', 'metadata', 'model', 'output_config', 'output_format', 'service_tier', 'stop_sequences', 'stream', 'system', 'temperature', 'thinking', 'tool_choice', 'tools', 'top_k', 'top_p']; // prettier-ignore

/** Anthropic's Messages. A thread is something it does not keep here: the client has to send everything. */
export const messages: Protocol = {
  read(body, _path, headers) {
    if (typeof headers['anthropic-version'] !== 'string') throw new Refusal('anthropic-version: header is required');
    if (body['thread'] !== undefined && body['thread'] !== false)
      throw new Refusal('thread_unsupported_request: threads are not kept here.', { isForeseen: true });
    refuseUnknown(body, [...FIELDS, 'thread'], '');
    if (typeof body['max_tokens'] !== 'number') throw new Refusal('max_tokens: Field required');
    const tools = objects(body['tools'], 'tools').map((tool) => tool['name'] as string);
    checkToolNames(tools);
    if ((JSON.stringify(body).match(/"cache_control":\{/g) ?? []).length > 4)
      throw new Refusal('A maximum of 4 blocks with cache_control may be provided.');
    if (body['tool_choice'] !== undefined && tools.length === 0)
      throw new Refusal('tool_choice may only be specified while providing tools.');
    const read = readTurns(objects(body['messages'], 'messages'), tools.length > 0);
    const { format } = (body['output_config'] ?? {}) as { format?: { schema: Json } };
    return { ...read, tools, isStreamed: body['stream'] === true, schema: format?.schema };
  },
  stream(said) {
    const event = (type: string, data: Json) => serverSentEvent({ type, ...data }, type);
    const blocks = blocksOf(said).flatMap((block, index) => {
      const isText = block['type'] === 'text';
      const whole = isText ? (block['text'] as string) : JSON.stringify(block['input']);
      return [
        event('content_block_start', {
          index,
          content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
        }),
        ...halves(whole).map((piece) =>
          event('content_block_delta', {
            index,
            delta: isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
          }),
        ),
        event('content_block_stop', { index }),
      ];
    });
    return [
      event('message_start', { message: { ...messageOf([]), stop_reason: null } }),
      ...blocks,
      event('message_delta', {
        delta: { stop_reason: stopOf(said), stop_sequence: null },
        usage: { output_tokens: 10 },
      }),
      event('message_stop', {}),
    ];
  },
  whole: (said) => ({ ...messageOf(blocksOf(said)), stop_reason: stopOf(said) }),
  error: (status, message) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error',
      message,
      ...(message.startsWith('thread_unsupported_request') && {
        details: { error_code: 'thread_unsupported_request' },
      }),
    },
  }),
};

const stopOf = (said: Said) => (typeof said === 'string' ? 'end_turn' : 'tool_use');

function blocksOf(said: Said): Json[] {
  return typeof said === 'string'
    ? [{ type: 'text', text: said }]
    : said.map(({ name, input }) => ({ type: 'tool_use', id: newId('toolu_'), name, input }));
}

function messageOf(content: readonly Json[]): Json {
  return {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content,
    stop_sequence: null,
    usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 },
  };
}

/** The results of all calls of a turn stand at the beginning of the next one; neighbours of one role are one turn. */
function readTurns(turns: readonly Json[], hasTools: boolean): Pick<Asked, 'userText' | 'results'> {
  if (turns[0]?.['role'] !== 'user') throw new Refusal('messages: the first message must use the user role.');
  const joined: { role: unknown; blocks: Json[] }[] = [];
  for (const { role, content } of turns) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content, 'content');
    if (role !== 'user' && role !== 'assistant' && role !== 'system')
      throw new Refusal(`messages: unknown role ${JSON.stringify(role)}.`);
    if (joined.at(-1)?.role === role) joined.at(-1)!.blocks.push(...blocks);
    else joined.push({ role, blocks: [...blocks] });
  }
  let userText = '';
  let results: string[][] = [];
  let open: string[] = [];
  for (const [index, { role, blocks }] of joined.entries()) {
    if (blocks.length === 0 && index < joined.length - 1)
      throw new Refusal(`messages.${index}: all messages must have non-empty content.`);
    let isBeginning = true;
    const answered: string[] = [];
    const calls: string[] = [];
    for (const block of blocks) {
      if (block['type'] === 'text' && block['text'] === '')
        throw new Refusal(`messages.${index}: text content blocks must be non-empty.`);
      if (block['type'] === 'tool_result') {
        if (!hasTools) throw new Refusal('Requests which include tool_use or tool_result blocks must define tools.');
        const id = block['tool_use_id'] as string;
        if (!open.includes(id))
          throw new Refusal(`messages.${index}: unexpected tool_use_id ${id}: no tool_use in the message before.`);
        if (!isBeginning) throw new Refusal(`messages.${index}: tool_result blocks come first.`);
        answered.push(id);
        results.at(-1)!.push(textOf(block['content']));
        continue;
      }
      isBeginning = false;
      if (block['type'] === 'tool_use') calls.push(block['id'] as string);
    }
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0)
      throw new Refusal(
        `messages.${index}: tool_use ids were found without tool_result blocks: ${missing.join(', ')}.`,
      );
    if (new Set(calls).size < calls.length) throw new Refusal(`messages.${index}: tool_use ids must be unique.`);
    open = calls;
    if (calls.length > 0) results.push([]);
    if (role === 'user' && answered.length === 0) {
      userText += `${textOf(blocks)}\n`;
      results = [];
    }
  }
  if (open.length > 0) throw new Refusal(`tool_use ids were found without tool_result blocks: ${open.join(', ')}.`);
  return { userText, results };
}
