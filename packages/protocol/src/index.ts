export type { CodePlace, CodeQuestion, CodeSearch } from './code-search.ts';
export { DragomanError, type DragomanErrorCode, type DragomanErrorOptions } from './dragoman-error.ts';
export {
  createIdMaker,
  type Id,
  type IdPrefix,
  idSchema,
  type IdSources,
  idTime,
  newId,
  type RequestId,
  type TokenId,
  type UserId,
} from './id.ts';
export { isRoleAtLeast, type Role, roleSchema, weakerRole } from './role.ts';
export { gatherAnswer, type ModelAnswer } from './model/model-answer.ts';
export type {
  FileData,
  PromptFile,
  ModelCall,
  ModelMessage,
  ReasoningEffort,
  PromptReasoning,
  PromptText,
  PromptToolCall,
  ToolChoice,
  ToolDefinition,
  PromptToolResult,
} from './model/model-call.ts';
export type { FinishReason, ModelEvent, ModelSink, ModelUsage, ProviderMetadata } from './model/model-event.ts';
export type { Model } from './model/model.ts';
export { describeToolCall, type ToolCallTitle } from './tool-call-title.ts';
