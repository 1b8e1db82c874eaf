// Models for other rooms, without the doors clients come through.
export { createModel, describeRoute, type RouteFacts } from './create-model.ts';
export { listModelNames } from './routing/resolve-route.ts';
export { UpstreamRegistry } from './upstreams/upstream-registry.ts';
