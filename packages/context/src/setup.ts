// What a program needs to know of the room before anything is asked of it. Importing this loads nothing heavy.
export { type ContextConfig, contextConfigShape } from './config/context-config.ts';
export { contextMigrations } from './context-migrations.ts';
export { describeBuiltInFile } from './index/vectors/built-in-file.ts';
export { isMoreThanCode, realHome } from './workspaces/code-folder.ts';
export { augmentHandlers, type ContextHandlers, contextPlugin, type LazyHandlers } from './routes/context-plugin.ts';
