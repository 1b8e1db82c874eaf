import type { FieldRow } from './field-table.fixture.ts';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const look = { type: 'function', name: 'look', description: 'Looks.', parameters: schema };
const custom = { type: 'custom', name: 'patch', description: 'Patches.' };
const said = (...content: object[]) => ({ input: [{ type: 'message', role: 'user', content }] });
const hi = { type: 'message', role: 'user', content: 'Hi' };
const offers = (name: string) => ({
  'openai-chat': `tools.0.function.name="${name}"`,
  gemini: `tools.0.functionDeclarations.0.name="${name}"`,
  ollama: `tools.0.function.name="${name}"`,
  all: `tools.0.name="${name}"`,
});

/** Responses. */
export const RESPONSES_ROWS: readonly FieldRow[] = [
  ['custom tools', { tools: [custom] }, offers('patch')],
  ['namespaces', { tools: [{ type: 'namespace', name: 'mcp__x', tools: [look] }] }, offers('mcp__x__look')],
  [
    'additional_tools',
    { input: [{ type: 'additional_tools', role: 'developer', tools: [custom] }, hi] },
    offers('patch'),
  ],
  [
    'custom_tool_call in the history',
    {
      tools: [custom],
      input: [
        hi,
        { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** a' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      ],
    },
    {
      'openai-chat':
        'messages.1.tool_calls.0.function.arguments="{\\"input\\":\\"*** a\\"}" & messages.2.content="done"',
      'anthropic-messages': 'messages.1.content.0.input.input="*** a" & messages.2.content.0.content.0.text="done"',
      gemini: 'contents.1.parts.0.functionCall.args.input="*** a"',
      ollama: 'messages.1.tool_calls.0.function.arguments.input="*** a" & messages.2.content="done"',
      'ai-sdk': 'prompt.1.content.0.input.input="*** a" & prompt.2.content.0.output.value="done"',
    },
  ],
  ['local_shell', { tools: [{ type: 'local_shell' }] }, offers('local_shell')],
  ['web_search', { tools: [look, { type: 'web_search' }] }, { all: 'out tools.web_search' }],
  [
    'web_search that must be used',
    { tools: [{ type: 'web_search' }], tool_choice: 'required' },
    { all: 'no tool_choice' },
  ],
  ['mcp', { tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://example.com' }] }, { all: 'no tools.0' }],
  ['file_search', { tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, { all: 'no tools.0' }],
  ['top_logprobs', { top_logprobs: 3 }, { all: 'no top_logprobs' }],
  ['include of logprobs', { include: ['message.output_text.logprobs'] }, { all: 'no include' }],
  [
    'include of what a tool found',
    { include: ['file_search_call.results', 'reasoning.encrypted_content'] },
    { all: 'out include.file_search_call.results' },
  ],
  ['moderation', { moderation: { model: 'omni' } }, { all: 'no moderation' }],
  ['truncation', { truncation: 'auto' }, { all: 'out truncation' }],
  ['max_tool_calls', { max_tool_calls: 3 }, { all: 'out max_tool_calls' }],
  ['prompt_cache_key', { prompt_cache_key: 'k' }, { all: 'out prompt_cache_key' }],
  ['store', { store: true }, { all: 'out store' }],
  ['compaction', { input: [{ type: 'compaction', encrypted_content: 'x' }, hi] }, { all: 'no input.0' }],
  ['previous_response_id', { previous_response_id: 'resp_1' }, { all: 'no previous_response_id' }],
  ['conversation', { conversation: 'conv_1' }, { all: 'no conversation' }],
  ['prompt', { prompt: { id: 'pmpt_1' } }, { all: 'no prompt' }],
  ['background', { background: true }, { all: 'no background' }],
  [
    'input_audio',
    said({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
    { all: 'no input.0.content.0' },
  ],
  ['another format', { text: { format: { type: 'grammar' } } }, { all: 'no text.format.type' }],
  [
    'a strict tool',
    { tools: [{ ...look, strict: true }] },
    {
      'openai-chat': 'tools.0.function.strict=true',
      gemini: 'toolConfig.functionCallingConfig.mode="VALIDATED"',
      ollama: 'no tools.strict',
      all: 'tools.0.strict=true',
    },
  ],
  [
    'a strict schema',
    { text: { format: { type: 'json_schema', name: 'x', schema, strict: true } } },
    {
      'openai-chat': 'response_format.json_schema.strict=true',
      'anthropic-messages': 'output_config.format.schema.required=["a"]',
      gemini: 'generationConfig.responseJsonSchema.required=["a"]',
      ollama: 'format.required=["a"]',
      'ai-sdk': 'responseFormat.schema.required=["a"]',
    },
  ],
  ['verbosity', { text: { verbosity: 'low' } }, { 'openai-chat': 'verbosity="low"', all: 'out text.verbosity' }],
  ['service_tier', { service_tier: 'flex' }, { 'openai-chat': 'service_tier="flex"', all: 'out service_tier' }],
  [
    'safety_identifier',
    { safety_identifier: 's1' },
    { 'openai-chat': 'user="s1"', 'anthropic-messages': 'metadata.user_id="s1"', all: 'out safety_identifier' },
  ],
  [
    'user',
    { user: 'u1' },
    { 'openai-chat': 'user="u1"', 'anthropic-messages': 'metadata.user_id="u1"', all: 'out user' },
  ],
  [
    'image detail',
    said({ type: 'input_text', text: 'Hi' }, { type: 'input_image', image_url: PICTURE, detail: 'low' }),
    {
      'openai-chat': 'messages.0.content.1.image_url.detail="low"',
      'ai-sdk': 'prompt.0.content.1.providerOptions.openai.imageDetail="low"',
      all: 'out input.detail',
    },
  ],
  [
    'reasoning in the history',
    {
      input: [
        hi,
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'x' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
        hi,
      ],
    },
    { ollama: 'messages.1.thinking="hm"', 'ai-sdk': 'prompt.1.content.0.text="hm"', all: 'out input.reasoning' },
  ],
  [
    'reasoning.effort',
    { reasoning: { effort: 'low' } },
    {
      'openai-chat': 'reasoning_effort="low"',
      'anthropic-messages': 'thinking.type="enabled"',
      gemini: 'generationConfig.thinkingConfig.thinkingLevel="LOW"',
      ollama: 'think="low"',
      'ai-sdk': 'reasoning="low"',
    },
  ],
  [
    'parallel_tool_calls',
    { tools: [look], parallel_tool_calls: false, input: 'TWO_CALLS' },
    {
      'openai-chat': 'parallel_tool_calls=false',
      'anthropic-messages': 'tool_choice.disable_parallel_tool_use=true',
      all: 'out parallel_tool_calls',
    },
  ],
];
