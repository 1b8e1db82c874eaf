// What the console says to the server beside the hub's calls: the client, and what comes back.
export { type ConsoleClient, createConsoleClient } from './console/console-client.ts';
export type { RankedPlace, WorkspaceInfo } from './console/context-calls.ts';
export type {
  BudgetInfo,
  CallFailure,
  ProviderDraft,
  ProviderInfo,
  RequestInfo,
  RestInfo,
  RouteInfo,
  UsageRow,
} from './console/gateway-calls.ts';
export type { ServerSettings, SettingChange, Settings, TokenSummary, UserInfo } from './console/settings-calls.ts';
export type { AgentCheck, McpServerInfo, PermissionAnswer, SkillInfo } from './console/workplace-calls.ts';
