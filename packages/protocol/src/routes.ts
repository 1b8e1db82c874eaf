// The addresses of every call, and nothing else: what a server has to know before it is asked anything.
export type { ApiRoute } from './api/api-route.ts';
export { CONTEXT_ROUTES } from './console/context-routes.ts';
export { GATEWAY_ROUTES } from './console/gateway-routes.ts';
export { SETTINGS_ROUTES } from './console/settings-routes.ts';
export { WORKPLACE_ROUTES } from './console/workplace-routes.ts';
export { HUB_ROUTES, type HubCallName } from './hub/hub-routes.ts';
