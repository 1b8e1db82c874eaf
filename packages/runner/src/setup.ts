// What a program needs to know of the room before anything is asked of it. Importing this loads nothing heavy.
export { type AgentConfig } from './config/agents-config.ts';
export { type RunnerConfig, runnerConfigShape } from './config/runner-config.ts';
