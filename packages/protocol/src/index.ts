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
export { JsonGauge, type JsonLimits } from './json/json-gauge.ts';
export type { JsonValue } from './json/json-value.ts';
export { boundedJsonParser, jsonMeter, type JsonTextLimits, parseBoundedJson } from './json/parse-bounded-json.ts';
export { isRoleAtLeast, type Role, roleSchema, type TokenRole, tokenRoleSchema, weakerRole } from './role.ts';
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
export { findWiderPattern, matchesModel, type ModelPatterns, modelPatternsSchema } from './model/model-patterns.ts';
export { type ModelPrice, priceOfUsage } from './model/model-price.ts';
export type { Model } from './model/model.ts';
export { trimEndOf } from './trim-end-of.ts';
export { REJECTED_KEY_FIX } from './rejected-key-fix.ts';
export { OFFLINE_HINT } from './offline-hint.ts';
export { plainMarkdown } from './plain-markdown.ts';
export { titleOfWords } from './title-of-words.ts';
export { describeToolCall, otherCallTitle, type ToolCallTitle } from './tool-call-title.ts';
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
export { MOST_COMMAND_CHARS, MOST_COMMANDS } from './permission/question-limits.ts';
export { matchesWildcard, parseWildcard } from './permission/wildcard.ts';
export { isShellTool, isSubjectKnown } from './permission/subject-tools.ts';
export { type SuggestedRule, suggestAlways } from './permission/suggest-always.ts';
export { isUnreadableCommand, unreadableCommand, unreadableText } from './permission/unreadable-command.ts';
export {
  askedAbout,
  ASKED_FILE,
  type AskedPart,
  type AskedQuestion,
  askedText,
  isChoice,
  knownCall,
  mayAnswer,
  plainlyShown,
  savedRules,
  shownChange,
} from './approval/asked-question.ts';
export { askedInText } from './approval/asked-in-text.ts';
export { readableMarks, visibleMarks } from './approval/visible-marks.ts';
export { inWrittenOrder } from './approval/written-order.ts';
export { addToBlock } from './uap/add-to-block.ts';
export type { AgentBackend, BackendPrompt, BackendRevert, BackendSession } from './uap/agent-backend.ts';
export type { AgentMessage, AgentRole } from './uap/agent-message.ts';
export type { Actor, Approval, ApprovalReply } from './uap/approval.ts';
export type { BackendCapabilities, BackendEvent, Choice, Fault, TurnEnd } from './uap/backend-event.ts';
export type { BlockEvent } from './uap/block-event.ts';
export { describeFault } from './uap/describe-fault.ts';
export type {
  ApprovalOption,
  ContentBlock,
  ContentBlockOf,
  ContentBlockType,
  FileDiff,
  PromptBlock,
  ToolKind,
} from './uap/content-block.ts';
export { type BlockPlace, OpenBlocks } from './uap/open-blocks.ts';
export { toAgentMessages } from './uap/to-agent-messages.ts';
export type {
  ChannelBinding,
  ChannelChat,
  ChannelFieldInfo,
  ChannelInfo,
  ChannelSetupStep,
} from './hub/channel-calls.ts';
export type { HubChange, PushSubscriptionInfo, SavedRule, SearchHit } from './hub/hub-calls.ts';
export type {
  HubEvent,
  HubEventOf,
  HubEventType,
  HubPrompt,
  HubSessionInfo,
  LoggedHubEvent,
  RunnerEvent,
} from './hub/hub-event.ts';
export { followStream, type StreamState, type StreamTimes } from './hub/follow-stream.ts';
export { openEvents } from './hub/open-events.ts';
export { type HubSend, hubSender } from './hub/hub-request.ts';
export { createHubClient, type FollowOptions, type HubClient, type HubClientOptions } from './hub/hub-client.ts';
export type { ApiCall } from './api/api-call.ts';
export { FIRST_MISTAKE } from './api/first-mistake.ts';
export type { ApiRoute } from './api/api-route.ts';
export type { HubCallOptions, HubFile } from './api/call-methods.ts';
export type { HubAnswer, HubInput, HubMethodName } from './hub/hub-methods.ts';
export { HubError, OutboxGapError, readHubError, type RefusedAnswer } from './hub/hub-error.ts';
export { describeActor, describeReply } from './hub/describe-reply.ts';
export { exportSessionJson, exportSessionMarkdown, sessionJson, sessionMarkdown } from './hub/export-session.ts';
export { foldHubEvent, foldHubEvents, SessionFold } from './hub/fold-session-view.ts';
export { joinEvents } from './hub/join-events.ts';
export { plainOutput } from './hub/plain-output.ts';
export { callKind } from './hub/rows/call-kind.ts';
export { callTitle, type CallTitle } from './hub/rows/call-title.ts';
export { deniedApproval } from './hub/rows/denied-approval.ts';
export { optionName } from './hub/rows/option-name.ts';
export {
  APPROVAL_WORDS,
  type ApprovalWords,
  SESSION_WORDS,
  type SessionWords,
  type SpokenLanguage,
} from './hub/rows/session-words.ts';
export { readRetry, type RetryNotice, writeRetry } from './hub/rows/retry-notice.ts';
export type { Call, Row, RowOf, ShownOf } from './hub/rows/row.ts';
export { partMaker, rowMaker, rowsOf, type SessionPart } from './hub/rows/rows-of.ts';
export { HUB_ROUTES, type HubCallName } from './hub/hub-routes.ts';
export {
  readServerEvents,
  type ServerEvent,
  serverEventReader,
  type ServerEventReader,
} from './hub/read-server-events.ts';
export type {
  AgentOffer,
  HubRunner,
  HubSession,
  MachineAway,
  SessionStatus,
  WaitingApproval,
} from './hub/hub-session.ts';
export type {
  FileChanges,
  FileContent,
  FileDiffText,
  FileEntries,
  FolderListing,
  FoundFiles,
  HubLink,
  ImagePiece,
  NumberedCommand,
  OutboxAck,
  OutboxBatch,
  OutboxRecord,
  RunnerAsk,
  RunnerCommand,
  RunnerHello,
  RunnerMessage,
  RunnerSync,
  UnbegunTurn,
  RunnerWelcome,
  SessionSpec,
} from './hub/runner-wire.ts';
export { isTerminalRunner, newTerminalRunnerId } from './hub/terminal-runner.ts';
export type { PushPayload } from './hub/push-payload.ts';
export type {
  CallStatus,
  SessionView,
  ShownApproval,
  ShownBlock,
  ShownMessage,
  ShownTool,
  ShownTurn,
} from './hub/session-view.ts';
