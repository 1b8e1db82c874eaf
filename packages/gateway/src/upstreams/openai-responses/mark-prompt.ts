import { markOpenAiPrompt, type OpenAiShape } from '../mark-openai-prompt.ts';
import type { MarkPrompt } from '../mark-prompt.ts';

/** In Responses, messages of others and what tools returned were said to the model. */
const RESPONSES: OpenAiShape = {
  field: 'input',
  partType: 'input_text',
  saidIn: ({ type, role }) => {
    if (type === 'function_call_output' || type === 'custom_tool_call_output') return 'output';
    return (type === 'message' || type === undefined) && role !== 'assistant' ? 'content' : undefined;
  },
};

export const markResponsesPrompt: MarkPrompt = (body, call) => markOpenAiPrompt(body, call, RESPONSES);
