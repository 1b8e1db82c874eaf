export { checkRoutes } from './config/check-routes.ts';
export { type GatewayConfig, gatewayConfigShape } from './config/gateway-config.ts';
export {
  type AugmentContext,
  type AugmentDecodeOptions,
  decodeAugmentRequest,
} from './dialects/augment/decode-request.ts';
export { encodeAugmentResponse } from './dialects/augment/encode-response.ts';
export { encodeAugmentStream } from './dialects/augment/encode-stream.ts';
export { TypedStreamBuilder } from './dialects/augment/encode-typed-stream.ts';
export { decodeNdjsonLine, encodeNdjsonLine } from './dialects/augment/ndjson.ts';
export { textNode, thinkingNode, tokenUsageNode, toolUseNode } from './dialects/augment/nodes.ts';
export { createModel, type CreateModelOptions, describeRoute, type RouteFacts } from './create-model.ts';
export { embed, type EmbedOptions } from './embed/embed.ts';
export type { DecodedRequest, Dialect } from './dialects/dialect.ts';
export type { ContextHandlers } from './gateway.ts';
export { augmentPlugin, type GatewayOptions, gatewayPlugin } from './gateway-plugin.ts';
export { type CallBook, openCallBook } from './metering/call-book.ts';
export { ClientReports, type ClientReport } from './metering/client-reports.ts';
export { countLeftBehind } from './metering/usage-queue.ts';
export { gatewayMigrations, type UsageTables } from './metering/usage-tables.ts';
export { ConcurrencyLimit } from './policy/concurrency-limit.ts';
export { findPrice, type FoundPrice } from './prices/find-price.ts';
export { redactCall } from './policy/redact-call.ts';
export { RequestWindow, type RequestWindowOptions } from './policy/request-window.ts';
export { repairToolCalls } from './repair/repair-tool-calls.ts';
export { repairToolInput } from './repair/repair-tool-input.ts';
export { listModelNames, resolveRoute, type Route } from './routing/resolve-route.ts';
export { type Target, targetName } from './routing/target.ts';
export { indexToolDefinitions } from './tools/index-tool-definitions.ts';
export { parseToolDefinitions } from './tools/parse-tool-definitions.ts';
export { augmentToolsToAnthropic, toAnthropicTool } from './tools/to-anthropic-tool.ts';
export { toAugmentTool } from './tools/to-augment-tool.ts';
export { augmentToolsToOpenAi, toOpenAiTool } from './tools/to-openai-tool.ts';
export type { Recording } from './transcribe/ask-for-transcript.ts';
export { transcribe, type TranscribeOptions } from './transcribe/transcribe.ts';
