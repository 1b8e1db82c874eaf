import { type ModelList, namesIn } from '../model-list.ts';

/** `GET /models`, in pages; the last name on one leads to the next. */
export const anthropicMessagesModels: ModelList = {
  path: (page) => `/models?limit=1000${page === undefined ? '' : `&after_id=${encodeURIComponent(page)}`}`,
  headers: { 'anthropic-version': '2023-06-01' },
  read(body) {
    const { data, has_more } = (body ?? {}) as { data?: unknown; has_more?: unknown };
    const models = namesIn(data, 'id');
    return models && { models, next: has_more === true ? models.at(-1) : undefined };
  },
};
