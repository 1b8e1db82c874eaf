// Models for other rooms, without the doors clients come through.
export { createModel, type CreateModelOptions, describeRoute, type RouteFacts } from './create-model.ts';
export { embed, type EmbedOptions } from './embed/embed.ts';
export { type CallBook, openCallBook } from './metering/call-book.ts';
export { listModelNames } from './routing/resolve-route.ts';
export type { Recording } from './transcribe/ask-for-transcript.ts';
export { transcribe, type TranscribeOptions } from './transcribe/transcribe.ts';
export { UpstreamRegistry } from './upstreams/upstream-registry.ts';
