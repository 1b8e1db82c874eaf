import { agentWords } from './agent-words.ts';

/** What an agent is, for who never used it. */
export function useAgentAbout(): (name: string) => string {
  const { agents, program } = agentWords.use();
  return (name) => (agents as Readonly<Record<string, string>>)[name.replace(/-acp$/, '')] ?? program;
}
