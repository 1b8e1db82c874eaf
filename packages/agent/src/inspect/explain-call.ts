import type { PermissionExplanation, PermissionQuestion } from '@dragoman/protocol';
import { type AgentDefinition, isToolOffered } from '../agents/agent-definition.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { permissionQuestion } from './permission-question.ts';

/** Which call is asked about. */
export interface ExplainCallOptions {
  tool: string;
  /** What it is called with: commands, paths, addresses, or arguments as JSON. None asks about the tool as such. */
  words: readonly string[];
  /** The agent that calls it, by name. */
  agent: string;
  /** Tools that the configuration switches off. */
  disabled: readonly string[];
}

/** What would become of a call. */
export interface CallExplanation {
  question: PermissionQuestion;
  explanation: PermissionExplanation;
  /** What the rules do not say: whether the agent has the tool at all. */
  note: string | undefined;
}

/** MCP servers are waited for only where one of their tools may be meant. */
const MCP_READY_MS = 10_000;

/** What would become of a call, which rule says so, and what else was about it. Nothing is called. */
export async function explainCall(workplace: Workplace, options: ExplainCallOptions): Promise<CallExplanation> {
  const { tool, words, disabled } = options;
  const agent = workplace.agent(options.agent);
  await workplace.follow();
  if (workplace.registry.get(tool) === undefined) await workplace.mcp?.ready(MCP_READY_MS);
  const question = await permissionQuestion(workplace, { tool, words, agent: agent.name });
  const explanation = (await workplace.permissions(agent)).explain(question);
  return { question, explanation, note: noteOn(tool, workplace, agent, disabled) };
}

function noteOn(
  tool: string,
  { registry }: Workplace,
  agent: AgentDefinition,
  disabled: readonly string[],
): string | undefined {
  if (registry.get(tool) === undefined)
    return `There is no tool named "${tool}" here; this is what the rules say of the name. The tools are: ${registry
      .list()
      .map(({ id }) => id)
      .join(', ')}.`;
  if (disabled.includes(tool)) return `The tool "${tool}" is switched off by agent.tools.disabled.`;
  if (!isToolOffered(agent, tool)) return `The agent "${agent.name}" is not offered this tool.`;
  return undefined;
}
