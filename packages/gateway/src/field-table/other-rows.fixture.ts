import type { FieldRow } from './field-table.fixture.ts';

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const inConfig = (fields: object) => ({ generationConfig: fields });
const inOptions = (fields: object) => ({ options: fields });

const PENALTY = (name: string, place: string) => ({
  'openai-chat': `${name}=0.5`,
  gemini: `generationConfig.${name.replace(/_p/, 'P')}=0.5`,
  ollama: `options.${name}=0.5`,
  'ai-sdk': `${name.replace(/_p/, 'P')}=0.5`,
  all: `out ${place}`,
});
const SEED = (place: string) => ({
  gemini: 'generationConfig.seed=3',
  ollama: 'options.seed=3',
  'openai-responses': `out ${place}`,
  'anthropic-messages': `out ${place}`,
  all: 'seed=3',
});
const TOP_K = (place: string) => ({
  'openai-chat': `out ${place}`,
  'openai-responses': `out ${place}`,
  gemini: 'generationConfig.topK=7',
  ollama: 'options.top_k=7',
  'ai-sdk': 'topK=7',
  all: 'top_k=7',
});
const STOP = {
  'openai-chat': 'stop=["STOP"]',
  'openai-responses': 'cut to "one\\n\\n"',
  'anthropic-messages': 'stop_sequences=["STOP"]',
  gemini: 'generationConfig.stopSequences=["STOP"]',
  ollama: 'options.stop=["STOP"]',
  'ai-sdk': 'stopSequences=["STOP"] & cut to "one\\n\\n"',
};

/** Gemini's own. */
export const GEMINI_ROWS: readonly FieldRow[] = [
  ['topK', inConfig({ topK: 7 }), TOP_K('generationConfig.topK')],
  ['seed', inConfig({ seed: 3 }), SEED('generationConfig.seed')],
  [
    'presencePenalty',
    inConfig({ presencePenalty: 0.5 }),
    PENALTY('presence_penalty', 'generationConfig.presencePenalty'),
  ],
  [
    'frequencyPenalty',
    inConfig({ frequencyPenalty: 0.5 }),
    PENALTY('frequency_penalty', 'generationConfig.frequencyPenalty'),
  ],
  ['stopSequences', inConfig({ stopSequences: ['STOP'] }), STOP],
  ['responseLogprobs', inConfig({ responseLogprobs: true }), { all: 'no generationConfig.responseLogprobs' }],
  ['candidateCount', inConfig({ candidateCount: 2 }), { all: 'no generationConfig.candidateCount' }],
  [
    'responseModalities',
    inConfig({ responseModalities: ['IMAGE'] }),
    { all: 'no generationConfig.responseModalities' },
  ],
  ['mediaResolution', inConfig({ mediaResolution: 'LOW' }), { all: 'out generationConfig.mediaResolution' }],
  ['cachedContent', { cachedContent: 'cachedContents/1' }, { all: 'no cachedContent' }],
  ['safetySettings', { safetySettings: [{ category: 'x' }] }, { all: 'out safetySettings' }],
  [
    'mode VALIDATED',
    {
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
      toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
    },
    { all: 'out toolConfig.functionCallingConfig.mode' },
  ],
  ['googleSearch', { tools: [{ googleSearch: {} }] }, { all: 'no tools.0.googleSearch' }],
  [
    'responseJsonSchema',
    inConfig({ responseMimeType: 'application/json', responseJsonSchema: schema }),
    {
      'openai-chat': 'response_format.json_schema.schema.required=["a"]',
      'openai-responses': 'text.format.schema.required=["a"]',
      'anthropic-messages': 'output_config.format.schema.required=["a"]',
      ollama: 'format.required=["a"]',
      'ai-sdk': 'responseFormat.schema.required=["a"]',
    },
  ],
];

/** Ollama's own. */
export const OLLAMA_ROWS: readonly FieldRow[] = [
  ['options.top_k', inOptions({ top_k: 7 }), TOP_K('options.top_k')],
  ['options.min_p', inOptions({ min_p: 0.1 }), { all: 'out options.min_p' }],
  ['options.seed', inOptions({ seed: 3 }), SEED('options.seed')],
  [
    'options.presence_penalty',
    inOptions({ presence_penalty: 0.5 }),
    PENALTY('presence_penalty', 'options.presence_penalty'),
  ],
  ['options.stop', inOptions({ stop: ['STOP'] }), STOP],
  ['options.num_ctx', inOptions({ num_ctx: 8192 }), { all: 'out options.num_ctx' }],
  ['options.repeat_penalty', inOptions({ repeat_penalty: 1.2 }), { all: 'out options.repeat_penalty' }],
  ['keep_alive', { keep_alive: '5m' }, { all: 'out keep_alive' }],
  ['logprobs', { logprobs: true }, { all: 'no logprobs' }],
  [
    'format',
    { format: 'json' },
    {
      'openai-chat': 'response_format.type="json_object"',
      'openai-responses': 'text.format.type="json_object"',
      'anthropic-messages':
        'system.0.text="Answer with one JSON object and nothing else: no explanation, no code fence."',
      gemini: 'generationConfig.responseMimeType="application/json"',
      'ai-sdk': 'responseFormat.type="json"',
    },
  ],
];

/** Legacy Completions. */
export const COMPLETION_ROWS: readonly FieldRow[] = [
  ['n', { n: 2 }, { all: 'no n' }],
  ['best_of', { best_of: 2 }, { all: 'no best_of' }],
  ['logprobs', { logprobs: 3 }, { all: 'no logprobs' }],
  ['logit_bias', { logit_bias: { 50256: -100 } }, { all: 'no logit_bias' }],
  ['seed', { seed: 3 }, SEED('seed')],
  ['top_k', { top_k: 7 }, TOP_K('top_k')],
  ['stop', { stop: ['STOP'] }, STOP],
  [
    'user',
    { user: 'u1' },
    { 'openai-responses': 'safety_identifier="u1"', 'anthropic-messages': 'metadata.user_id="u1"', all: 'out user' },
  ],
  ['a field that nobody knows', { shiny: 1 }, { all: 'out shiny' }],
  [
    'suffix',
    { prompt: 'def f(', suffix: 'return 1' },
    {
      'openai-responses': 'input.0.content.0.text="<before>\\ndef f(\\n</before>\\n<after>\\nreturn 1\\n</after>"',
      'anthropic-messages': 'messages.0.content.0.text="<before>\\ndef f(\\n</before>\\n<after>\\nreturn 1\\n</after>"',
      gemini: 'contents.0.parts.0.text="<before>\\ndef f(\\n</before>\\n<after>\\nreturn 1\\n</after>"',
      ollama: 'messages.1.content="<before>\\ndef f(\\n</before>\\n<after>\\nreturn 1\\n</after>"',
      'ai-sdk': 'prompt.1.content.0.text="<before>\\ndef f(\\n</before>\\n<after>\\nreturn 1\\n</after>"',
    },
  ],
];

const SELECTED = 'Selected in the editor, in a.ts:\\nlet a;';

/** Augment's own. */
export const AUGMENT_ROWS: readonly FieldRow[] = [
  [
    'selected_code',
    { selected_code: 'let a;', path: 'a.ts' },
    {
      'openai-chat': `messages.1.content.1.text="${SELECTED}"`,
      'openai-responses': `input.0.content.1.text="${SELECTED}"`,
      'anthropic-messages': `messages.0.content.1.text="${SELECTED}"`,
      gemini: `contents.0.parts.1.text="${SELECTED}"`,
      ollama: `messages.1.content="Hi\\n${SELECTED}"`,
      'ai-sdk': `prompt.1.content.1.text="${SELECTED}"`,
    },
  ],
  ['prefix', { prefix: 'let b;' }, { all: 'out prefix' }],
  [
    'system_prompt_replacements',
    { system_prompt_replacements: [{ a: 'b' }] },
    { all: 'out system_prompt_replacements' },
  ],
  [
    'ids',
    { conversation_id: 'c', turn_id: 't', blobs: { checkpoint_id: null, added_blobs: [], deleted_blobs: [] } },
    { all: 'conversation_id=undefined' },
  ],
  [
    'reasoning_effort',
    { reasoning_effort: 'low' },
    {
      'openai-chat': 'reasoning_effort="low"',
      'openai-responses': 'reasoning.effort="low"',
      'anthropic-messages': 'thinking.type="enabled"',
      gemini: 'generationConfig.thinkingConfig.thinkingLevel="LOW"',
      ollama: 'think="low"',
      'ai-sdk': 'reasoning="low"',
    },
  ],
];
