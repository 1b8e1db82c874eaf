// What a program needs to know of the room before anything is asked of it. Importing this loads nothing heavy.
export { agentMigrations } from './agent-migrations.ts';
export { type AgentConfig, agentConfigShape } from './config/agent-config-shape.ts';
