import type { HubParts } from '../hub-parts.ts';
import type { SessionSearch } from '../search/session-search.ts';
import type { ChangeFeed } from '../sessions/change-feed.ts';

/** What the routes need of an open hub. */
export interface HubEngine {
  parts: HubParts;
  changes: ChangeFeed;
  search: SessionSearch;
  /** Of the program, for the document that describes the routes. */
  version: string;
}
