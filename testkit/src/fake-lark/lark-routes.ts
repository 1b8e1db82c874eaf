import { appRoutes } from './app-routes.ts';
import { cardRoutes } from './card-routes.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { fileRoutes } from './file-routes.ts';
import type { LarkRoute } from './lark-server.ts';
import type { LarkState } from './lark-state.ts';
import { messageRoutes } from './message-routes.ts';

/** Every endpoint there is. */
export function routes(state: LarkState, pool: ConnectionPool): LarkRoute[] {
  return [...appRoutes(state, pool), ...messageRoutes(state), ...fileRoutes(state), ...cardRoutes(state)];
}
