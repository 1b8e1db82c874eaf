import { braveEngine } from './engines/brave.ts';
import { exaEngine } from './engines/exa.ts';
import { searxngEngine } from './engines/searxng.ts';
import { tavilyEngine } from './engines/tavily.ts';
import type { WebSearchConfig } from './web-search-config.ts';
import type { WebSearchEngine } from './web-search-engine.ts';

/** The engine that is configured, if any. */
export function openWebSearchEngine(config: WebSearchConfig | undefined): WebSearchEngine | undefined {
  switch (config?.engine) {
    case undefined:
      return undefined;
    case 'searxng':
      return searxngEngine(config);
    case 'brave':
      return braveEngine({ ...config, apiKey: config.apiKey.reveal() });
    case 'tavily':
      return tavilyEngine({ ...config, apiKey: config.apiKey.reveal() });
    case 'exa':
      return exaEngine({ ...config, apiKey: config.apiKey.reveal() });
  }
}
