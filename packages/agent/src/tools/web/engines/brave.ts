import { z } from 'zod';
import type { WebSearchEngine } from '../web-search-engine.ts';
import { askEngine, engineUrl } from './ask-engine.ts';

// Without any result there is no "web".
const answerSchema = z.object({
  web: z
    .object({
      results: z.array(z.object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() })),
    })
    .nullish(),
});

/** The Brave Search API. A key it does not know is refused with 422. */
export function braveEngine({
  apiKey,
  baseUrl = 'https://api.search.brave.com',
}: {
  apiKey: string;
  baseUrl?: string | undefined;
}): WebSearchEngine {
  return {
    name: 'Brave',
    async search({ query, limit }, signal) {
      const url = engineUrl(baseUrl, '/res/v1/web/search');
      url.searchParams.set('q', query);
      url.searchParams.set('count', String(limit));
      const { web } = await askEngine(
        {
          engine: 'Brave',
          url,
          headers: { 'x-subscription-token': apiKey },
          keyStatuses: [422],
          secret: apiKey,
        },
        answerSchema,
        signal,
      );
      return (web?.results ?? []).map(({ title, url: address, description }) => ({
        title: title ?? '',
        url: address,
        snippet: description ?? '',
      }));
    },
  };
}
