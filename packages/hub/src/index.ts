export type { HubLog } from './hub-log.ts';
export type { HubSettings } from './hub-parts.ts';
export { type Hub, type HubOptions, openHub } from './open-hub.ts';
export type { TerminalDesk } from './terminals/terminal-desk.ts';
