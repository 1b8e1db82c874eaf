// What a program needs to know of the room before anything is asked of it. Importing this loads nothing heavy.
export { checkRoutes } from './config/check-routes.ts';
export { type GatewayConfig, gatewayConfigShape } from './config/gateway-config.ts';
export { embedderProblem } from './embed/find-embedder.ts';
export { gatewayMigrations } from './metering/usage-tables.ts';
export { transcriberProblem } from './transcribe/find-transcriber.ts';
