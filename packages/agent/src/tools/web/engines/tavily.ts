import { z } from 'zod';
import type { WebSearchEngine } from '../web-search-engine.ts';
import { askEngine, engineUrl } from './ask-engine.ts';

const answerSchema = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});

/** The Tavily search API. A plan or a budget that is used up is refused with 432 or 433. */
export function tavilyEngine({
  apiKey,
  baseUrl = 'https://api.tavily.com',
}: {
  apiKey: string;
  baseUrl?: string | undefined;
}): WebSearchEngine {
  return {
    name: 'Tavily',
    async search({ query, limit }, signal) {
      const { results } = await askEngine(
        {
          engine: 'Tavily',
          url: engineUrl(baseUrl, '/search'),
          headers: { authorization: `Bearer ${apiKey}` },
          body: { query, max_results: limit },
          keyStatuses: [432, 433],
          secret: apiKey,
        },
        answerSchema,
        signal,
      );
      return results.map(({ title, url, content }) => ({ title: title ?? '', url, snippet: content ?? '' }));
    },
  };
}
