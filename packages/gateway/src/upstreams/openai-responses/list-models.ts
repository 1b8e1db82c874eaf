/** The same service has the same list in both of its protocols. */
export { openAiChatModels as openAiResponsesModels } from '../openai-chat/list-models.ts';
