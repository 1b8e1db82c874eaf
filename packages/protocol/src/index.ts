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
export { type AgentError, agentErrorSchema } from './agent/agent-error.ts';
export {
  type AgentEvent,
  type AgentEventOf,
  agentEventSchema,
  type AgentEventType,
  type Counters,
  type LoggedEvent,
  type QueuedPrompt,
  queuedPromptSchema,
  type SessionInfo,
  sessionInfoSchema,
  type Todo,
  todoSchema,
} from './agent/agent-event.ts';
export { sessionSchemaDocument } from './agent/session-schema-document.ts';
export { foldEvent, foldSession, type SessionState, type TurnState } from './agent/fold-session.ts';
export { type FilePart, filePartSchema, type FileSource } from './part/file-part.ts';
export {
  type AssistantInfo,
  type Message,
  type MessageInfo,
  messageInfoSchema,
  messageSchema,
  type UserInfo,
} from './part/message.ts';
export {
  type AgentPart,
  type AnyPart,
  type CompactionPart,
  type CustomPart,
  type Part,
  partSchema,
  type PatchPart,
  type ReasoningPart,
  type RetryPart,
  type SnapshotPart,
  type StepFinishPart,
  type StepStartPart,
  type SubtaskPart,
  type TextPart,
  type ToolPart,
} from './part/part.ts';
export { type PartBase, partBaseSchema } from './part/part-base.ts';
export { type ModelName, modelNameSchema } from './part/model-name.ts';
export { PartRegistry } from './part/part-registry.ts';
export { readMessage } from './part/read-message.ts';
export { addTokens, NO_TOKENS, type Tokens, tokensSchema, totalTokens } from './part/tokens.ts';
export {
  canMoveToolState,
  isOpenToolState,
  type ToolState,
  type ToolStateCompleted,
  type ToolStateError,
  type ToolStatePending,
  type ToolStateRunning,
  toolStateSchema,
  type ToolStatus,
} from './part/tool-state.ts';
export { type CompiledPermissions, compilePermissions } from './permission/compile-permissions.ts';
export type { PermissionOptions } from './permission/path-pattern.ts';
export {
  PERMISSION_LAYERS,
  type PermissionAction,
  type PermissionDecision,
  type PermissionExplanation,
  type PermissionQuestion,
  type PermissionRule,
  type PermissionSubject,
  type SubjectExplanation,
} from './permission/permission.ts';
export {
  MAX_PATTERN_LENGTH,
  type PermissionsConfig,
  permissionsConfigSchema,
  rulesFromConfig,
} from './permission/permissions-config.ts';
export { type SuggestedRule, suggestAlways } from './permission/suggest-always.ts';
