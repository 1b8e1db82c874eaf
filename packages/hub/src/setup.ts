// What a program needs to know of the room before anything is asked of it. Importing this loads nothing heavy.
export type { ChannelKind } from './channels/channel.ts';
export { readChannelState } from './channels/channel-lease.ts';
export { channelKinds } from './channels/known-channels.ts';
export type { Transcribe } from './channels/open-channels.ts';
export { type HubConfig, hubConfigShape } from './config/hub-config.ts';
export { hubMigrations } from './hub-migrations.ts';
export { type HubHandler, type HubHandlers, hubPlugin, type LazyHubHandlers } from './routes/hub-plugin.ts';
export { hasUnfinishedWork } from './sessions/has-unfinished-work.ts';
