import { defineWords } from '../../words/define-words.ts';

/** The frame of the page, and what several of its parts say. */
export const gatewayWords = defineWords({
  en: {
    title: 'Gateway',
    parts: 'Gateway sections',
    tabs: {
      providers: 'Providers',
      routes: 'Routes',
      usage: 'Usage',
      requests: 'Requests',
      connect: 'Connect',
    },
    asking: 'Testing…',
    answeredIn: (total: string) => `Answered in ${total}`,
    firstAfter: (first: string) => `first token after ${first}`,
    noText: 'It answered without text. Reasoning models may do this when the answer is short.',
    types: {
      'openai-chat': 'OpenAI-compatible',
      'openai-responses': 'OpenAI Responses',
      'anthropic-messages': 'Anthropic',
      gemini: 'Google Gemini',
      ollama: 'Ollama',
      'ai-sdk': 'AI SDK package',
      offline: 'Offline model',
    },
    beforeSaving: (model: string) => `${model}, tested before its provider was saved`,
    conflict: 'The settings have changed since you opened them',
  },
  zh: {
    title: '网关',
    parts: '网关分类',
    tabs: { providers: '模型服务', routes: '路由', usage: '用量', requests: '请求', connect: '接入' },
    asking: '正在测试…',
    answeredIn: (total: string) => `${total}内回答`,
    firstAfter: (first: string) => `首个 token 用时 ${first}`,
    noText: '它回答了，但没有文字。推理模型在短回答时可能如此。',
    types: {
      'openai-chat': 'OpenAI 兼容',
      'openai-responses': 'OpenAI Responses',
      'anthropic-messages': 'Anthropic',
      gemini: 'Google Gemini',
      ollama: 'Ollama',
      'ai-sdk': 'AI SDK 包',
      offline: '离线模型',
    },
    beforeSaving: (model: string) => `${model}（模型服务保存之前的测试）`,
    conflict: '设置在你打开后已被修改',
  },
});

/** How the gateway calls a provider that has no name yet. */
const DRAFT = 'new provider/';

/** What a target or a route is called. A model that was tried while its provider was set up is told as such. */
export function targetTitle(words: ReturnType<typeof gatewayWords.use>, target: string): string {
  return target.startsWith(DRAFT) ? words.beforeSaving(target.slice(DRAFT.length)) : target;
}

/** What a protocol is called. */
export function typeTitle(words: ReturnType<typeof gatewayWords.use>, type: string): string {
  return Object.hasOwn(words.types, type) ? words.types[type as keyof typeof words.types] : type;
}
