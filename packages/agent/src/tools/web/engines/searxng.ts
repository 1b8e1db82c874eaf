import { z } from 'zod';
import type { WebSearchEngine } from '../web-search-engine.ts';
import { askEngine, engineUrl } from './ask-engine.ts';

const answerSchema = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});

/** A SearXNG server of one's own. It needs no key; it answers 403 unless its settings allow the format "json". */
export function searxngEngine({ baseUrl }: { baseUrl: string }): WebSearchEngine {
  return {
    name: 'SearXNG',
    async search({ query }, signal) {
      const url = engineUrl(baseUrl, '/search');
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      const { results } = await askEngine({ engine: 'SearXNG', url, headers: {} }, answerSchema, signal);
      return results.map(({ title, url: address, content }) => ({
        title: title ?? '',
        url: address,
        snippet: content ?? '',
      }));
    },
  };
}
