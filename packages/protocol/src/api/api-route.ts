import type { Role } from '../role.ts';

/** One call of the server's API. */
export interface ApiRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for what stands in `params`. */
  path: string;
  /** The least role that may call it. What is beyond that, such as whose session it is, is said in the summary. */
  access: Role;
  summary: string;
  /** `events` answers with server-sent events, `bytes` with a file; anything else with JSON. */
  answers?: 'events' | 'bytes';
  /** How long an answer may take, where that is more than the client's usual limit. */
  slowMs?: number;
}
