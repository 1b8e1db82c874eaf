import type { FieldRow } from './field-table.fixture.ts';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const look = { name: 'look', description: 'Looks.', parameters: schema };
const tools = [{ type: 'function', function: look }];
const said = (content: unknown, fields: object = {}) => ({ messages: [{ role: 'user', content, ...fields }] });
const answered = (fields: object) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', ...fields },
    { role: 'user', content: 'And?' },
  ],
});

/** Chat Completions. */
export const CHAT_ROWS: readonly FieldRow[] = [
  ['n', { n: 2 }, { all: 'no n' }],
  ['logprobs', { logprobs: true }, { all: 'no logprobs' }],
  ['top_logprobs', { top_logprobs: 3 }, { all: 'no top_logprobs' }],
  ['logit_bias', { logit_bias: { 50256: -100 } }, { all: 'no logit_bias' }],
  ['modalities', { modalities: ['text', 'audio'] }, { all: 'no modalities' }],
  ['audio', { audio: { voice: 'alloy', format: 'wav' } }, { all: 'no audio' }],
  ['web_search_options', { web_search_options: { search_context_size: 'low' } }, { all: 'no web_search_options' }],
  [
    'input_audio',
    said([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]),
    { all: 'no messages' },
  ],
  ['audio of an answer', answered({ audio: { id: 'audio_1' } }), { all: 'no messages.1.audio' }],
  [
    'another response_format',
    { response_format: { type: 'grammar', grammar: 'x' } },
    { all: 'no response_format.type' },
  ],
  ['metadata', { metadata: { a: 'b' } }, { all: 'out metadata' }],
  ['store', { store: true }, { all: 'out store' }],
  ['prediction', { prediction: { type: 'content', content: 'x' } }, { all: 'out prediction' }],
  ['chat_template_kwargs', { chat_template_kwargs: { enable_thinking: false } }, { all: 'out chat_template_kwargs' }],
  ['prompt_cache_key', { prompt_cache_key: 'k' }, { all: 'out prompt_cache_key' }],
  ['a field that nobody knows', { shiny: [1] }, { all: 'out shiny' }],
  [
    'user',
    { user: 'u1' },
    { 'openai-responses': 'safety_identifier="u1"', 'anthropic-messages': 'metadata.user_id="u1"', all: 'out user' },
  ],
  [
    'safety_identifier',
    { safety_identifier: 'u2' },
    {
      'openai-responses': 'safety_identifier="u2"',
      'anthropic-messages': 'metadata.user_id="u2"',
      all: 'out safety_identifier',
    },
  ],
  ['service_tier', { service_tier: 'flex' }, { 'openai-responses': 'service_tier="flex"', all: 'out service_tier' }],
  [
    'the plain service_tier',
    { service_tier: 'default' },
    {
      'openai-responses': 'service_tier="default"',
      'anthropic-messages': 'service_tier="standard_only"',
      all: 'out service_tier',
    },
  ],
  ['verbosity', { verbosity: 'low' }, { 'openai-responses': 'text.verbosity="low"', all: 'out verbosity' }],
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
      'openai-responses': 'out top_k',
      'anthropic-messages': 'top_k=7',
      gemini: 'generationConfig.topK=7',
      ollama: 'options.top_k=7',
      'ai-sdk': 'topK=7',
    },
  ],
  ['min_p', { min_p: 0.1 }, { ollama: 'options.min_p=0.1', all: 'out min_p' }],
  [
    'presence_penalty',
    { presence_penalty: 0.5 },
    {
      gemini: 'generationConfig.presencePenalty=0.5',
      ollama: 'options.presence_penalty=0.5',
      'ai-sdk': 'presencePenalty=0.5',
      all: 'out presence_penalty',
    },
  ],
  [
    'frequency_penalty',
    { frequency_penalty: 0.5 },
    {
      gemini: 'generationConfig.frequencyPenalty=0.5',
      ollama: 'options.frequency_penalty=0.5',
      'ai-sdk': 'frequencyPenalty=0.5',
      all: 'out frequency_penalty',
    },
  ],
  [
    'seed',
    { seed: 3 },
    { gemini: 'generationConfig.seed=3', ollama: 'options.seed=3', 'ai-sdk': 'seed=3', all: 'out seed' },
  ],
  [
    'stop',
    { stop: 'STOP' },
    {
      'openai-responses': 'cut to "one\\n\\n"',
      'anthropic-messages': 'stop_sequences=["STOP"]',
      gemini: 'generationConfig.stopSequences=["STOP"]',
      ollama: 'options.stop=["STOP"]',
      'ai-sdk': 'stopSequences=["STOP"] & cut to "one\\n\\n"',
    },
  ],
  [
    'stop at white space',
    { stop: ['never', '\n\n'] },
    {
      'openai-responses': 'cut to "one"',
      'anthropic-messages': 'stop_sequences=["never"] & cut to "one"',
      gemini: 'generationConfig.stopSequences=["never","\\n\\n"]',
      ollama: 'options.stop=["never","\\n\\n"]',
      'ai-sdk': 'stopSequences=["never","\\n\\n"] & cut to "one"',
    },
  ],
  [
    'max_tokens',
    { max_tokens: 99 },
    {
      'openai-responses': 'max_output_tokens=99',
      'anthropic-messages': 'max_tokens=99',
      gemini: 'generationConfig.maxOutputTokens=99',
      ollama: 'options.num_predict=99',
      'ai-sdk': 'maxOutputTokens=99',
    },
  ],
  [
    'reasoning_effort',
    { reasoning_effort: 'low' },
    {
      'openai-responses': 'reasoning.effort="low"',
      'anthropic-messages': 'thinking.type="enabled"',
      gemini: 'generationConfig.thinkingConfig.thinkingLevel="LOW"',
      ollama: 'think="low"',
      'ai-sdk': 'reasoning="low"',
    },
  ],
  [
    'json_object',
    { response_format: { type: 'json_object' } },
    {
      'openai-responses': 'text.format.type="json_object"',
      'anthropic-messages':
        'system.0.text="Answer with one JSON object and nothing else: no explanation, no code fence."',
      gemini: 'generationConfig.responseMimeType="application/json"',
      ollama: 'format="json"',
      'ai-sdk': 'responseFormat.type="json"',
    },
  ],
  [
    'json_schema, strict',
    { response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } } },
    {
      'openai-responses': 'text.format.strict=true & text.format.name="x"',
      'anthropic-messages': 'output_config.format.type="json_schema" & output_config.format.schema.required=["a"]',
      gemini: 'generationConfig.responseJsonSchema.required=["a"]',
      ollama: 'format.required=["a"]',
      'ai-sdk': 'responseFormat.schema.required=["a"]',
    },
  ],
  [
    'tools, strict',
    { tools: [{ type: 'function', function: { ...look, strict: true } }] },
    {
      gemini: 'toolConfig.functionCallingConfig.mode="VALIDATED"',
      ollama: 'no tools.function.strict',
      all: 'tools.0.strict=true',
    },
  ],
  [
    'custom tools',
    { tools: [{ type: 'custom', custom: { name: 'patch', description: 'Patches.' } }] },
    {
      gemini: 'tools.0.functionDeclarations.0.name="patch"',
      ollama: 'tools.0.function.name="patch"',
      all: 'tools.0.name="patch"',
    },
  ],
  [
    'functions',
    { functions: [look] },
    {
      gemini: 'tools.0.functionDeclarations.0.name="look"',
      ollama: 'tools.0.function.name="look"',
      all: 'tools.0.name="look"',
    },
  ],
  [
    'parallel_tool_calls',
    { tools, parallel_tool_calls: false, ...said('TWO_CALLS') },
    {
      'openai-responses': 'parallel_tool_calls=false',
      'anthropic-messages': 'tool_choice.disable_parallel_tool_use=true',
      all: 'out parallel_tool_calls',
    },
  ],
  [
    'tool_choice of any tool',
    { tools, tool_choice: 'required', ...said('TWO_CALLS') },
    {
      'openai-responses': 'tool_choice="required" & 2 calls',
      'anthropic-messages': 'tool_choice.type="any"',
      gemini: 'toolConfig.functionCallingConfig.mode="ANY"',
      ollama: 'messages.1.content="Answer with a call of one of the tools and with nothing else." & 2 calls',
      'ai-sdk': 'toolChoice.type="required"',
    },
  ],
  [
    'tool_choice of one tool',
    { tools, tool_choice: { type: 'function', function: { name: 'look' } }, ...said('TWO_CALLS') },
    {
      'openai-responses': 'tool_choice.name="look"',
      'anthropic-messages': 'tool_choice.name="look"',
      gemini: 'toolConfig.functionCallingConfig.allowedFunctionNames=["look"]',
      ollama: 'messages.1.content="Answer with a call of the tool look and with nothing else."',
      'ai-sdk': 'toolChoice.toolName="look"',
    },
  ],
  [
    'tool_choice of no tool',
    { tools, tool_choice: 'none' },
    {
      'openai-responses': 'tool_choice="none"',
      'anthropic-messages': 'tool_choice.type="none"',
      gemini: 'toolConfig.functionCallingConfig.mode="NONE"',
      ollama: 'tools=undefined',
      'ai-sdk': 'toolChoice.type="none"',
    },
  ],
  [
    'tool_choice of allowed tools',
    {
      tools: [...tools, { type: 'function', function: { ...look, name: 'other' } }],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'other' } }] },
      },
    },
    {
      gemini: 'tools.0.functionDeclarations.0.name="other" & tools.0.functionDeclarations.1=undefined',
      ollama: 'tools.0.function.name="other" & tools.1=undefined',
      all: 'tools.0.name="other" & tools.1=undefined',
    },
  ],
  [
    'image detail',
    said([
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: PICTURE, detail: 'low' } },
    ]),
    {
      'openai-responses': 'input.0.content.1.detail="low"',
      'ai-sdk': 'prompt.0.content.1.providerOptions.openai.imageDetail="low"',
      all: 'out messages.image_url.detail',
    },
  ],
  [
    'cache_control',
    said([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]),
    {
      'anthropic-messages': 'messages.0.content.0.cache_control.type="ephemeral"',
      'ai-sdk': 'prompt.0.content.0.providerOptions.anthropic.cacheControl.type="ephemeral"',
      all: 'out cache_control',
    },
  ],
  [
    'the name of a user',
    said('Hi', { name: 'Ann' }),
    {
      'openai-responses': 'input.0.content.0.text="Ann: Hi"',
      'anthropic-messages': 'messages.0.content.0.text="Ann: Hi"',
      gemini: 'contents.0.parts.0.text="Ann: Hi"',
      ollama: 'messages.0.content="Ann: Hi"',
      'ai-sdk': 'prompt.0.content.0.text="Ann: Hi"',
    },
  ],
  ['the name of an assistant', answered({ name: 'Bot' }), { all: 'out messages.name' }],
  [
    'reasoning_content',
    answered({ reasoning_content: 'hm' }),
    {
      ollama: 'messages.1.thinking="hm"',
      'ai-sdk': 'prompt.1.content.0.text="hm"',
      all: 'out messages.reasoning_content',
    },
  ],
  [
    'a refusal in the history',
    answered({ content: null, refusal: 'I will not.' }),
    {
      'openai-responses': 'input.1.content.0.text="I will not."',
      'anthropic-messages': 'messages.1.content.0.text="I will not."',
      gemini: 'contents.1.parts.0.text="I will not."',
      ollama: 'messages.1.content="I will not."',
      'ai-sdk': 'prompt.1.content.0.text="I will not."',
    },
  ],
];
