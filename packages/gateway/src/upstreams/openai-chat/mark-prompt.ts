import { markOpenAiPrompt, type OpenAiShape } from '../mark-openai-prompt.ts';
import type { MarkPrompt } from '../mark-prompt.ts';

/** In Chat Completions, everything but the assistant's messages was said to the model. */
const CHAT: OpenAiShape = {
  field: 'messages',
  partType: 'text',
  saidIn: ({ role }) => (role === 'assistant' ? undefined : 'content'),
};

export const markChatPrompt: MarkPrompt = (body, call) => markOpenAiPrompt(body, call, CHAT);
