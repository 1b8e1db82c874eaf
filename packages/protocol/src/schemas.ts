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
