import type { BackendCapabilities, Fault } from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { countIn, type Fields, fieldsIn, textIn } from '../../backend/fields.ts';
import { probeProgram } from '../../backend/probe-program.ts';
import type { AgentPreset } from '../../presets/agent-preset.ts';

/** What it can do. */
export const CODEX_CAPABILITIES: BackendCapabilities = {
  resume: true,
  fork: true,
  steer: true,
  approvals: true,
  images: true,
  files: true,
  models: true,
  modes: true,
};

/** Codex, as it is offered where nothing is configured. */
export const CODEX_PRESET: AgentPreset = {
  name: 'codex',
  title: 'Codex',
  backend: 'codex',
  command: ['codex', 'app-server'],
  install: 'npm install -g @openai/codex',
  login: '`codex login`; or, with a key, `printenv OPENAI_API_KEY | codex login --with-api-key`',
};

/** Codex as it is set up on this machine. */
export interface CodexAgent {
  /** How people know it. */
  title: string;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  approvalPolicy: string | undefined;
  sandbox: string | undefined;
  effort: string | undefined;
  /** Settings of its own that are handed on as they are. */
  config: Fields;
  /** How long it may say nothing in the middle of a turn. */
  silenceMs: number;
}

const SILENCE_MINUTES = 60;

/** The agent of a setup. */
export function codexAgent({ title, command, env, options }: AgentSetup): CodexAgent {
  return {
    title: title ?? CODEX_PRESET.title,
    command: command ?? CODEX_PRESET.command,
    env,
    approvalPolicy: textIn(options, 'approvalPolicy'),
    sandbox: textIn(options, 'sandbox'),
    effort: textIn(options, 'effort'),
    config: fieldsIn(options, 'config'),
    silenceMs: (countIn(options, 'silenceMinutes') ?? SILENCE_MINUTES) * 60_000,
  };
}

/** Why it cannot be started on this machine; nothing when it can. */
export function probeCodex(setup: AgentSetup): Promise<Fault | undefined> {
  const { title, command, env } = codexAgent(setup);
  const { patienceMs } = setup;
  return probeProgram({ title, command, env, install: CODEX_PRESET.install, patienceMs });
}
