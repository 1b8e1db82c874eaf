import { relative } from 'node:path';
import type { AgentDefinition } from '../agents/agent-definition.ts';
import type { Instruction } from './instruction-cache.ts';

/** Where and when the agent works. */
interface Environment {
  cwd: string;
  root: string;
  platform: string;
  /** The day, such as `2026-03-14`; nothing finer, so that the prompt stays the same. */
  date: string;
  isGit: boolean;
}

/** All that the prompt is made of. */
export interface SystemPromptParts {
  agent: Pick<AgentDefinition, 'prompt'>;
  instructions: readonly Instruction[];
  environment: Environment;
  /** What connected servers say of themselves. */
  mcpInstructions?: readonly { server: string; text: string }[];
}

const MAX_SERVER_LENGTH = 4_000;

/**
 * The system prompt: who the agent is, where it works, what it is told about the place, and about the tools of servers. Skills
 * are told by the skill tool.
 *
 * Equal parts give the same text to the byte, in whatever order servers were found: providers keep what they have read by its
 * beginning.
 */
export function renderSystemPrompt(parts: SystemPromptParts): string {
  const { agent, instructions, environment, mcpInstructions = [] } = parts;
  return [
    agent.prompt.trim(),
    renderEnvironment(environment),
    ...(instructions.length === 0 ? [] : [renderInstructions(instructions, environment.root)]),
    ...mcpInstructions
      .toSorted(({ server: one }, { server: other }) => (one < other ? -1 : one > other ? 1 : 0))
      .filter(({ text }) => text.trim() !== '')
      .map(renderServer),
  ].join('\n\n');
}

/** An instruction file as it is told, in the system prompt and beside a file that it applies to. */
export function renderInstruction({ path, text, bytes, isCut }: Instruction, root: string): string {
  const way = relative(root, path);
  const shown = way === '' || way.startsWith('..') ? path : way.replaceAll('\\', '/');
  const rest = isCut ? `\n[The file is ${bytes} bytes; read it for the rest.]` : '';
  return `<file path="${shown.replaceAll('"', '&quot;')}">\n${kept(text, 'file')}${rest}\n</file>`;
}

function renderEnvironment({ cwd, root, platform, date, isGit }: Environment): string {
  return [
    '<environment>',
    `Working folder: ${cwd}`,
    `Project: ${root} (${isGit ? 'a git repository' : 'not a git repository'})`,
    `Platform: ${platform}`,
    `Date: ${date}`,
    '</environment>',
  ].join('\n');
}

function renderInstructions(instructions: readonly Instruction[], root: string): string {
  return [
    '<instructions>',
    'What people say about work in this place. Follow it; where two files disagree, the one of the nearer folder counts, and what the person says in the conversation counts most.',
    ...instructions.map((instruction) => renderInstruction(instruction, root)),
    '</instructions>',
  ].join('\n');
}

function renderServer({ server, text }: { server: string; text: string }): string {
  const name = onOneLine(server).replaceAll('"', '&quot;');
  return `<mcp-server name="${name}">\nHow the server says its tools are used:\n${kept(text.trim().slice(0, MAX_SERVER_LENGTH), 'mcp-server')}\n</mcp-server>`;
}

/** A text from elsewhere cannot end the section it stands in. */
function kept(text: string, tag: string): string {
  return text.replaceAll(`</${tag}`, `<\\/${tag}`);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
