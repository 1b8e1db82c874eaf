import { type ModelList, namesIn } from '../model-list.ts';

interface GeminiModels {
  models?: unknown;
  nextPageToken?: unknown;
}

/** `GET /models`, in pages. Models that only embed or draw are left out, where the service says so. */
export const geminiModels: ModelList = {
  path: (page) => `/models?pageSize=1000${page === undefined ? '' : `&pageToken=${encodeURIComponent(page)}`}`,
  read(body) {
    const { models, nextPageToken: next } = (body ?? {}) as GeminiModels;
    const talking = Array.isArray(models) ? models.filter(canTalk) : undefined;
    const names = namesIn(talking, 'name')?.map((name) => name.replace(/^models\//, ''));
    return names && { models: names, next: typeof next === 'string' && next !== '' ? next : undefined };
  },
};

function canTalk(model: unknown): boolean {
  const methods = (model as { supportedGenerationMethods?: unknown } | null)?.supportedGenerationMethods;
  return !Array.isArray(methods) || methods.includes('generateContent');
}
