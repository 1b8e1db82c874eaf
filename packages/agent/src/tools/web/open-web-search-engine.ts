import type { WebSearchConfig } from './web-search-config.ts';
import type { WebSearchEngine } from './web-search-engine.ts';

/** The engine that is configured, if any. Only that one is loaded. */
export async function openWebSearchEngine(config: WebSearchConfig | undefined): Promise<WebSearchEngine | undefined> {
  switch (config?.engine) {
    case undefined:
      return undefined;
    case 'searxng':
      return (await import('./engines/searxng.ts')).searxngEngine(config);
    case 'brave':
      return (await import('./engines/brave.ts')).braveEngine({ ...config, apiKey: config.apiKey.reveal() });
    case 'tavily':
      return (await import('./engines/tavily.ts')).tavilyEngine({ ...config, apiKey: config.apiKey.reveal() });
    case 'exa':
      return (await import('./engines/exa.ts')).exaEngine({ ...config, apiKey: config.apiKey.reveal() });
  }
}
