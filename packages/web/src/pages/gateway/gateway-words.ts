import { defineWords } from '../../words/define-words.ts';

/** The frame of the page, and what several of its parts say. */
export const gatewayWords = defineWords({
  en: {
    title: 'Gateway',
    parts: 'Parts of the gateway',
    tabs: {
      providers: 'Providers',
      routes: 'Routes',
      usage: 'Usage',
      requests: 'Requests',
      connect: 'Connect',
    },
    asking: 'Asking…',
    answeredIn: (total: string) => `Answered in ${total}`,
    firstAfter: (first: string) => `first word after ${first}`,
    noText: 'It answered without text, as models that think first may do with a short answer.',
    types: {
      'openai-chat': 'OpenAI-compatible',
      'openai-responses': 'OpenAI Responses',
      'anthropic-messages': 'Anthropic',
      gemini: 'Google Gemini',
      ollama: 'Ollama',
      'ai-sdk': 'AI SDK package',
      offline: 'Offline model',
    },
    conflict: 'The settings were changed meanwhile',
    fileProblem: 'The settings file has a mistake, so an earlier one is in force',
  },
  zh: {
    title: '网关',
    parts: '网关的各个部分',
    tabs: { providers: '模型服务', routes: '路由', usage: '用量', requests: '请求', connect: '接入' },
    asking: '正在询问…',
    answeredIn: (total: string) => `${total} 内回答`,
    firstAfter: (first: string) => `${first} 后出现第一个字`,
    noText: '它回答了，但没有文字：先思考的模型在短回答里可能如此。',
    types: {
      'openai-chat': 'OpenAI 兼容',
      'openai-responses': 'OpenAI Responses',
      'anthropic-messages': 'Anthropic',
      gemini: 'Google Gemini',
      ollama: 'Ollama',
      'ai-sdk': 'AI SDK 包',
      offline: '离线模型',
    },
    conflict: '设置已被他人修改',
    fileProblem: '设置文件有错误，当前生效的是之前的版本',
  },
});

/** What a protocol is called. */
export function typeTitle(words: ReturnType<typeof gatewayWords.use>, type: string): string {
  return Object.hasOwn(words.types, type) ? words.types[type as keyof typeof words.types] : type;
}
