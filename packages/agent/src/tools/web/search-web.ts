import { type Tool, ToolError } from '../tool.ts';
import { decodeEntities, stripTags } from './strip-tags.ts';
import type { WebSearchEngine, WebSearchResult } from './web-search-engine.ts';

const MAX_SNIPPET_LENGTH = 500;

const HOW_TO_CONFIGURE =
  'No search engine is configured, so the web cannot be searched. Tell the user that one can be set as "webSearch" in dragoman.json: {"engine": "searxng", "baseUrl": "https://…"} for a SearXNG server of their own, or {"engine": "brave" | "tavily" | "exa", "apiKey": "{env:NAME}"}. Until then, use web-fetch with an address that you know.';

/** Asks the engine, and lists what it found. */
export async function searchWeb(
  { query, limit }: { query: string; limit: number },
  engine: WebSearchEngine | undefined,
  signal: AbortSignal,
): Promise<Tool.Result> {
  if (engine === undefined) throw new ToolError(HOW_TO_CONFIGURE);
  const found = (await engine.search({ query, limit }, signal)).slice(0, limit);
  return {
    title: query,
    output:
      found.length === 0 ? `${engine.name} found nothing for "${query}". Try fewer or other words.` : listed(found),
    metadata: { engine: engine.name, count: found.length },
  };
}

function listed(results: readonly WebSearchResult[]): string {
  return results
    .map(({ title, url, snippet }, index) => {
      const lines = [`${index + 1}. ${onOneLine(title) || url}`, `   ${url}`];
      const excerpt = shortened(onOneLine(snippet));
      return [...lines, ...(excerpt === '' ? [] : [`   ${excerpt}`])].join('\n');
    })
    .join('\n\n');
}

/** Engines mark the words that were found, in HTML. */
function onOneLine(text: string): string {
  return stripTags(decodeEntities(text)).replaceAll(/\s+/g, ' ').trim();
}

function shortened(text: string): string {
  return text.length <= MAX_SNIPPET_LENGTH ? text : `${text.slice(0, MAX_SNIPPET_LENGTH).trimEnd()}…`;
}
