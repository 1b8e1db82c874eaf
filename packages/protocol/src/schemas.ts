// The schemas behind the types of a session, for whoever reads what others wrote. Making them takes a moment, so that programs which
// only use the types need not.
export { agentErrorSchema } from './agent/agent-error.ts';
export { agentEventSchema, queuedPromptSchema, sessionInfoSchema } from './agent/agent-event.ts';
export { sessionSchemaDocument } from './agent/session-schema-document.ts';
export { filePartSchema } from './part/file-part.ts';
export { messageInfoSchema, messageSchema } from './part/message.ts';
export { modelNameSchema } from './part/model-name.ts';
export { partBaseSchema } from './part/part-base.ts';
export { partSchema } from './part/part.ts';
export { PartRegistry } from './part/part-registry.ts';
export { readMessage } from './part/read-message.ts';
export { tokensSchema } from './part/tokens.ts';
export { toolStateSchema } from './part/tool-state.ts';
export { agentMessageSchema } from './uap/agent-message.ts';
export { approvalSchema } from './uap/approval.ts';
export { backendCapabilitiesSchema, backendEventSchema, turnEndSchema } from './uap/backend-event.ts';
export { blockEventSchema } from './uap/block-event.ts';
export { contentBlockSchema, promptBlockSchema } from './uap/content-block.ts';
export { uapSchemaDocument } from './uap/uap-schema-document.ts';
export { HUB_CALLS } from './hub/hub-calls.ts';
export { hubEventSchema, runnerEventSchema } from './hub/hub-event.ts';
export { openApiDocument } from './api/openapi.ts';
export { agentOfferSchema, hubRunnerSchema, hubSessionSchema } from './hub/hub-session.ts';
export {
  imagePieceSchema,
  MOST_IMAGE_BYTES,
  outboxRecordSchema,
  runnerAskSchema,
  runnerCommandSchema,
} from './hub/runner-wire.ts';
