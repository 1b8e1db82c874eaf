import type { BackendCapabilities, Choice, Fault } from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { countIn, textsIn } from '../../backend/fields.ts';
import { probeProgram } from '../../backend/probe-program.ts';
import type { AgentPreset } from '../../presets/agent-preset.ts';

/** What it can do. */
export const CLAUDE_CAPABILITIES: BackendCapabilities = {
  resume: true,
  fork: true,
  approvals: true,
  images: true,
  files: true,
  models: true,
  modes: true,
};

/** Claude Code, as it is offered where nothing is configured. */
export const CLAUDE_PRESET: AgentPreset = {
  name: 'claude',
  title: 'Claude Code',
  backend: 'claude',
  command: ['claude'],
  install: 'npm install -g @anthropic-ai/claude-code',
  login: '`claude auth login`; or set ANTHROPIC_API_KEY in the environment of the runner',
};

/** How Claude Code asks, by the names it has for it. */
export const CLAUDE_MODES: readonly Choice[] = [
  { id: 'default', name: 'Ask', description: 'Asks before it changes files or runs commands.' },
  { id: 'acceptEdits', name: 'Accept edits', description: 'Changes files without asking, and asks for the rest.' },
  { id: 'plan', name: 'Plan', description: 'Reads and plans, and changes nothing until the plan is accepted.' },
  { id: 'bypassPermissions', name: 'Never ask', description: 'Asks nobody. Only for a machine that may be broken.' },
];

/** Claude Code as it is set up on this machine. */
export interface ClaudeAgent {
  /** How people know it. */
  title: string;
  /** The program; what it is to do comes after it. */
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  arguments: readonly string[];
  maxTurns: number | undefined;
  /** How long it may say nothing in the middle of a turn. */
  silenceMs: number;
}

/** How a conversation begins. */
export type OpenHow = { type: 'new' } | { type: 'resume' | 'fork'; agentSessionId: string };

const SILENCE_MINUTES = 60;

/** What it takes to talk to it in lines of JSON, with its questions on the same way. */
const HEADLESS =
  '-p --input-format stream-json --output-format stream-json --include-partial-messages --verbose --permission-prompt-tool stdio';

/** The agent of a setup. */
export function claudeAgent({ title, command, env, options }: AgentSetup): ClaudeAgent {
  return {
    title: title ?? CLAUDE_PRESET.title,
    command: command ?? CLAUDE_PRESET.command,
    env,
    arguments: textsIn(options, 'arguments'),
    maxTurns: countIn(options, 'maxTurns'),
    silenceMs: (countIn(options, 'silenceMinutes') ?? SILENCE_MINUTES) * 60_000,
  };
}

/** The whole command for a conversation. */
export function claudeCommand(
  agent: ClaudeAgent,
  how: OpenHow,
  { model, mode }: { model: string | undefined; mode: string | undefined },
): string[] {
  return [
    ...agent.command,
    ...HEADLESS.split(' '),
    ...(model === undefined ? [] : ['--model', model]),
    ...(mode === undefined ? [] : ['--permission-mode', mode]),
    ...(agent.maxTurns === undefined ? [] : ['--max-turns', String(agent.maxTurns)]),
    ...(how.type === 'new' ? [] : ['--resume', how.agentSessionId]),
    ...(how.type === 'fork' ? ['--fork-session'] : []),
    ...agent.arguments,
  ];
}

/** Why it cannot be started on this machine; nothing when it can. */
export function probeClaude(setup: AgentSetup): Promise<Fault | undefined> {
  const { title, command, env } = claudeAgent(setup);
  const { patienceMs } = setup;
  return probeProgram({ title, command, env, install: CLAUDE_PRESET.install, patienceMs });
}
