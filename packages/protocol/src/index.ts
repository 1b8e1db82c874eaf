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
export type { AgentError } from './agent/agent-error.ts';
export type {
  AgentEvent,
  AgentEventOf,
  AgentEventType,
  Counters,
  LoggedEvent,
  QueuedPrompt,
  SessionInfo,
} from './agent/agent-event.ts';
export { foldEvent, foldSession, type SessionState, type TurnState } from './agent/fold-session.ts';
export { type Todo, todoSchema } from './agent/todo.ts';
export { addTokens, NO_TOKENS, totalTokens } from './part/add-tokens.ts';
export type { FilePart, FileSource } from './part/file-part.ts';
export type { AssistantInfo, Message, MessageInfo, UserInfo } from './part/message.ts';
export type { ModelName } from './part/model-name.ts';
export type {
  AgentPart,
  AnyPart,
  CompactionPart,
  CustomPart,
  Part,
  PatchPart,
  ReasoningPart,
  RetryPart,
  SnapshotPart,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  TextPart,
  ToolPart,
} from './part/part.ts';
export type { PartBase } from './part/part-base.ts';
export type { Tokens } from './part/tokens.ts';
export { canMoveToolState, isOpenToolState } from './part/tool-moves.ts';
export type {
  ToolState,
  ToolStateCompleted,
  ToolStateError,
  ToolStatePending,
  ToolStateRunning,
  ToolStatus,
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
export { matchesWildcard, parseWildcard } from './permission/wildcard.ts';
export { type SuggestedRule, suggestAlways } from './permission/suggest-always.ts';
