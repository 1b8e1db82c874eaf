// The schemas of those calls, for who answers them.
export { CONTEXT_CALLS } from './console/context-calls.ts';
export { callFailureSchema, GATEWAY_CALLS } from './console/gateway-calls.ts';
export { SETTINGS_CALLS } from './console/settings-calls.ts';
export { WORKPLACE_CALLS } from './console/workplace-calls.ts';
