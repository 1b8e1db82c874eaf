export { type AboutBackend, AgentRegistry, type AgentSetup, type CreateBackend } from './backend/agent-registry.ts';
export { BlockWriter, type ToolResultNews, type ToolUseNews } from './backend/block-writer.ts';
export { type ChildAgent, type ChildAgentOptions, type ChildEnding, startChildAgent } from './backend/child-agent.ts';
export { FixableError } from './backend/fixable-error.ts';
export {
  JsonRpcConnection,
  JsonRpcError,
  type JsonRpcOptions,
  type JsonRpcRequestOptions,
} from './backend/json-rpc.ts';
export { chatBackend, type ChatBackendOptions, type ChatModel } from './backends/chat/chat-backend.ts';
export { CHAT_CAPABILITIES } from './backends/chat/chat-capabilities.ts';
export { AgentList, type AgentListOptions } from './config/agent-list.ts';
export type { AgentConfig } from './config/agents-config.ts';
export { AllowedFolders } from './folders/allowed-folders.ts';
export { type HttpLink, httpLink, type HttpLinkOptions } from './link/http-link.ts';
export { isRunnerIn, knownRunnerIdIn, runnerIdIn, runnerProcessIn } from './runner-id-in.ts';
export { busyRunnersIn, readRunnerIds, takeRunnerIds } from './runner-ids.ts';
export { openRunner, type Runner, type RunnerOptions } from './open-runner.ts';
export type { AgentPreset } from './presets/agent-preset.ts';
export { PRESETS, registerBackends } from './register-backends.ts';
export type { RunnerLog } from './runner-log.ts';
