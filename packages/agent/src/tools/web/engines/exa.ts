import { z } from 'zod';
import type { WebSearchEngine } from '../web-search-engine.ts';
import { askEngine, engineUrl } from './ask-engine.ts';

const answerSchema = z.object({
  results: z.array(
    z.object({
      title: z.string().nullish(),
      url: z.string(),
      highlights: z.array(z.string()).nullish(),
      text: z.string().nullish(),
    }),
  ),
});

/** The Exa search API. Credits that are used up are refused with 402. */
export function exaEngine({
  apiKey,
  baseUrl = 'https://api.exa.ai',
}: {
  apiKey: string;
  baseUrl?: string | undefined;
}): WebSearchEngine {
  return {
    name: 'Exa',
    async search({ query, limit }, signal) {
      const { results } = await askEngine(
        {
          engine: 'Exa',
          url: engineUrl(baseUrl, '/search'),
          headers: { 'x-api-key': apiKey },
          body: { query, numResults: limit, contents: { highlights: true } },
          keyStatuses: [402],
          secret: apiKey,
        },
        answerSchema,
        signal,
      );
      return results.map(({ title, url, highlights, text }) => ({
        title: title ?? '',
        url,
        snippet: highlights?.join(' … ') ?? text ?? '',
      }));
    },
  };
}
