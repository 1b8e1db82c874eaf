import type { FieldRow } from './field-table.fixture.ts';

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const look = { name: 'look', description: 'Looks.', input_schema: schema };
const said = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const answered = (...content: object[]) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
    { role: 'user', content: 'And?' },
  ],
});

/** Messages. */
export const ANTHROPIC_ROWS: readonly FieldRow[] = [
  [
    'metadata.user_id',
    { metadata: { user_id: 'u1' } },
    { 'openai-chat': 'user="u1"', 'openai-responses': 'safety_identifier="u1"', all: 'out metadata.user_id' },
  ],
  [
    'a long metadata.user_id',
    { metadata: { user_id: 'u'.repeat(100) } },
    {
      'openai-chat': 'user="aae37f9f7de396414419d9ed8d2321d450519b2d16797aab63c6ea51229c05a2"',
      'openai-responses': 'safety_identifier="aae37f9f7de396414419d9ed8d2321d450519b2d16797aab63c6ea51229c05a2"',
      all: 'out metadata.user_id',
    },
  ],
  [
    'service_tier',
    { service_tier: 'standard_only' },
    { 'openai-chat': 'service_tier="default"', 'openai-responses': 'service_tier="default"', all: 'out service_tier' },
  ],
  [
    'cache_control',
    said([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]),
    {
      'ai-sdk': 'prompt.0.content.0.providerOptions.anthropic.cacheControl.type="ephemeral"',
      all: 'out cache_control',
    },
  ],
  [
    'cache_control of a tool',
    { tools: [{ ...look, cache_control: { type: 'ephemeral' } }] },
    { 'ai-sdk': 'tools.0.providerOptions.anthropic.cacheControl.type="ephemeral"', all: 'out cache_control' },
  ],
  [
    'signed thinking',
    answered({ type: 'thinking', thinking: 'hm', signature: 'sig' }, { type: 'text', text: 'Hello' }),
    { ollama: 'messages.1.thinking="hm"', 'ai-sdk': 'prompt.1.content.0.text="hm"', all: 'out messages.thinking' },
  ],
  [
    'citations of a document',
    said([
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, citations: { enabled: true } },
    ]),
    { all: 'no messages.0.content.0.citations' },
  ],
  [
    'citations of an answer',
    answered({ type: 'text', text: 'Hello', citations: [{ type: 'char_location', cited_text: 'x' }] }),
    { all: 'out messages.citations' },
  ],
  [
    'a web search',
    { tools: [look, { type: 'web_search_20250305', name: 'web_search' }] },
    { all: 'out tools.web_search_20250305' },
  ],
  ['code execution', { tools: [{ type: 'code_execution_20250522', name: 'code_execution' }] }, { all: 'no tools.0' }],
  [
    'bash_20250124',
    { tools: [{ type: 'bash_20250124', name: 'bash' }] },
    {
      'openai-chat': 'tools.0.function.name="bash"',
      gemini: 'tools.0.functionDeclarations.0.name="bash"',
      ollama: 'tools.0.function.name="bash"',
      all: 'tools.0.name="bash"',
    },
  ],
  ['mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'x' }] }, { all: 'no mcp_servers' }],
  ['container', { container: 'container_1' }, { all: 'no container' }],
  ['inference_geo', { inference_geo: 'us' }, { all: 'no inference_geo' }],
  ['thread', { thread: { type: 'create' } }, { all: 'no thread' }],
  ['context_management', { context_management: { edits: [{ type: 'x' }] } }, { all: 'out context_management' }],
  ['speed', { speed: 'fast' }, { all: 'out speed' }],
  [
    'a task budget',
    { output_config: { task_budget: { type: 'tokens', total: 9 } } },
    { all: 'out output_config.task_budget' },
  ],
  [
    'output_format',
    { output_format: { type: 'json_schema', schema } },
    {
      'openai-chat': 'response_format.json_schema.schema.required=["a"]',
      'openai-responses': 'text.format.schema.required=["a"]',
      gemini: 'generationConfig.responseJsonSchema.required=["a"]',
      ollama: 'format.required=["a"]',
      'ai-sdk': 'responseFormat.schema.required=["a"]',
    },
  ],
  [
    'output_config.format',
    { output_config: { format: { type: 'json_schema', schema } } },
    {
      'openai-chat': 'response_format.json_schema.schema.required=["a"]',
      'openai-responses': 'text.format.schema.required=["a"]',
      gemini: 'generationConfig.responseJsonSchema.required=["a"]',
      ollama: 'format.required=["a"]',
      'ai-sdk': 'responseFormat.schema.required=["a"]',
    },
  ],
  ['another format', { output_config: { format: { type: 'xml' } } }, { all: 'no output_config.format.type' }],
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
    'input_examples',
    { tools: [{ ...look, input_examples: [{ a: 'b' }] }] },
    {
      'openai-chat': 'tools.0.function.description="Looks.\\n\\nExamples of its input:\\n{\\"a\\":\\"b\\"}"',
      gemini: 'tools.0.functionDeclarations.0.description="Looks.\\n\\nExamples of its input:\\n{\\"a\\":\\"b\\"}"',
      ollama: 'tools.0.function.description="Looks.\\n\\nExamples of its input:\\n{\\"a\\":\\"b\\"}"',
      all: 'tools.0.description="Looks.\\n\\nExamples of its input:\\n{\\"a\\":\\"b\\"}"',
    },
  ],
  ['allowed_callers', { tools: [{ ...look, allowed_callers: ['x'] }] }, { all: 'out tools.allowed_callers' }],
  [
    'stop_sequences',
    { stop_sequences: ['STOP'] },
    {
      'openai-chat': 'stop=["STOP"]',
      'openai-responses': 'cut to "one\\n\\n"',
      gemini: 'generationConfig.stopSequences=["STOP"]',
      ollama: 'options.stop=["STOP"]',
      'ai-sdk': 'stopSequences=["STOP"] & cut to "one\\n\\n"',
    },
  ],
  [
    'temperature',
    { temperature: 0.5 },
    { gemini: 'generationConfig.temperature=0.5', ollama: 'options.temperature=0.5', all: 'temperature=0.5' },
  ],
  [
    'top_p',
    { top_p: 0.5 },
    { gemini: 'generationConfig.topP=0.5', ollama: 'options.top_p=0.5', 'ai-sdk': 'topP=0.5', all: 'top_p=0.5' },
  ],
  [
    'top_k',
    { top_k: 7 },
    {
      'openai-chat': 'out top_k',
      'openai-responses': 'out top_k',
      gemini: 'generationConfig.topK=7',
      ollama: 'options.top_k=7',
      'ai-sdk': 'topK=7',
    },
  ],
  [
    'thinking',
    { thinking: { type: 'enabled', budget_tokens: 2048 } },
    {
      'openai-chat': 'reasoning_effort="low"',
      'openai-responses': 'reasoning.effort="low"',
      gemini: 'generationConfig.thinkingConfig.thinkingLevel="LOW"',
      ollama: 'think="low"',
      'ai-sdk': 'reasoning="low"',
    },
  ],
  [
    'no thinking',
    { thinking: { type: 'disabled' } },
    {
      'openai-chat': 'out thinking',
      'openai-responses': 'reasoning.effort="none"',
      gemini: 'generationConfig.thinkingConfig.includeThoughts=false',
      ollama: 'think=false',
      'ai-sdk': 'reasoning="none"',
    },
  ],
  [
    'tool_choice of any tool',
    { tools: [look], tool_choice: { type: 'any' }, ...said('TWO_CALLS') },
    {
      'openai-chat': 'tool_choice="required"',
      'openai-responses': 'tool_choice="required"',
      gemini: 'toolConfig.functionCallingConfig.mode="ANY"',
      ollama: 'messages.1.content="Answer with a call of one of the tools and with nothing else."',
      'ai-sdk': 'toolChoice.type="required"',
    },
  ],
  [
    'disable_parallel_tool_use',
    { tools: [look], tool_choice: { type: 'auto', disable_parallel_tool_use: true }, ...said('TWO_CALLS') },
    {
      'openai-chat': 'parallel_tool_calls=false',
      'openai-responses': 'parallel_tool_calls=false',
      all: 'out tool_choice.disable_parallel_tool_use',
    },
  ],
  [
    'is_error',
    {
      tools: [look],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { a: 'b' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't1', content: 'no such file', is_error: true }],
        },
      ],
    },
    {
      'openai-chat': 'messages.2.content="The tool failed:\\nno such file"',
      'openai-responses': 'input.2.output="The tool failed:\\nno such file"',
      gemini: 'contents.2.parts.0.functionResponse.response.error="no such file"',
      ollama: 'messages.2.content="The tool failed:\\nno such file"',
      'ai-sdk': 'prompt.2.content.0.output.type="error-text"',
    },
  ],
];
