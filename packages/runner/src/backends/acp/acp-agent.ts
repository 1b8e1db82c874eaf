import { DragomanError } from '@dragoman/protocol';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { countIn, textIn } from '../../backend/fields.ts';
import { findAcpPreset } from '../../presets/acp-presets.ts';

/** An agent that speaks ACP, with all that is needed to start it and to help a person with it. */
export interface AcpAgent {
  /** How people know it. */
  title: string;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  install: string | undefined;
  login: string | undefined;
  /** Ways to authenticate that may be used without asking anybody. */
  authMethods: readonly string[];
  /** The title of a call says all that it would do. */
  hasTellingTitles: boolean;
  /** How long it may say nothing in the middle of a turn. */
  silenceMs: number;
}

const SILENCE_MINUTES = 60;

/** The agent of a setup: what the configuration says, and what is known of it where that says nothing. */
export function acpAgent(setup: AgentSetup): AcpAgent {
  const preset = findAcpPreset(setup.name, setup.command);
  const command = setup.command ?? preset?.command;
  if (command === undefined || command.length === 0)
    throw new DragomanError(
      'config-invalid',
      `the agent "${setup.name}" has no command; write one into its configuration: "command": ["my-agent", "--acp"]`,
    );
  const authMethod = textIn(setup.options, 'authMethod');
  return {
    title: setup.title ?? preset?.title ?? setup.name,
    command,
    env: setup.env,
    install: textIn(setup.options, 'install') ?? preset?.install,
    login: textIn(setup.options, 'login') ?? preset?.login,
    authMethods: [...(authMethod === undefined ? [] : [authMethod]), ...(preset?.authMethods ?? [])],
    hasTellingTitles: preset?.hasTellingTitles ?? false,
    silenceMs: (countIn(setup.options, 'silenceMinutes') ?? SILENCE_MINUTES) * 60_000,
  };
}
