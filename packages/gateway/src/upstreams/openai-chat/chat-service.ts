import type { ProviderConfig } from '../../config/gateway-config.ts';

/** What differs between the services that are asked through Chat Completions. */
export interface ChatService {
  /** It is OpenAI's own. */
  isOpenAi: boolean;
  /** Whether fields are taken that OpenAI has and others need not have. */
  takesNewerFields: boolean;
  /** Whether top_k and min_p are taken, which OpenAI never had. */
  takesOpenSampling: boolean;
}

/** These are known to take more than OpenAI has; of others many refuse what they do not know. */
const GENEROUS = /(?:^|\.)(?:openrouter\.ai|api\.together\.(?:xyz|ai)|api\.fireworks\.ai|api\.deepinfra\.com)$/;
/** These refuse requests with fields that OpenAI has and they have not. */
const PARTICULAR = /(?:^|\.)(?:api\.mistral\.ai|api\.groq\.com|api\.cerebras\.ai)$/;

/** Told by the address, because there is no asking beforehand. */
export function chatService({ baseUrl }: Pick<ProviderConfig, 'baseUrl'>): ChatService {
  const host = baseUrl === undefined ? 'api.openai.com' : new URL(baseUrl).hostname;
  const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(host);
  return { isOpenAi, takesNewerFields: !PARTICULAR.test(host), takesOpenSampling: GENEROUS.test(host) };
}
