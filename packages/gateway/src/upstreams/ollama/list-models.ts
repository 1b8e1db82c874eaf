import { type ModelList, namesIn } from '../model-list.ts';

/** `GET /api/tags`: what was pulled to that machine. */
export const ollamaModels: ModelList = {
  path: () => '/api/tags',
  read(body) {
    const models = namesIn((body as { models?: unknown } | null | undefined)?.models, 'name');
    return models && { models };
  },
};
