import { type ModelList, namesIn } from '../model-list.ts';

/** `GET /models`. Some services that speak the protocol send the list without the object around it. */
export const openAiChatModels: ModelList = {
  path: () => '/models',
  read(body) {
    const models = namesIn(Array.isArray(body) ? body : (body as { data?: unknown } | null | undefined)?.data, 'id');
    return models && { models };
  },
};
