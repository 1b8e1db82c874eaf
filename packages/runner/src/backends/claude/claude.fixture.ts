import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TurnEnd } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { testBackend, type TestedBackend } from '../../backend/tested-backend.fixture.ts';
import { SILENT_LOG } from '../../runner-log.ts';
import { ClaudeBackend } from './claude-backend.ts';
import type { Step } from './fake-claude.fixture.ts';

const PROGRAM = fileURLToPath(new URL('./fake-claude.fixture.ts', import.meta.url));

/** How the backend under test is set up. */
export interface TestedOptions {
  setup?: Partial<AgentSetup>;
  cwd?: string;
  /** Where the fake keeps its conversations. */
  state?: string;
  cancelLimitMs?: number;
}

/** A backend in front of the fake, which runs as a process of its own. */
export interface TestedClaude extends TestedBackend<ClaudeBackend> {
  cwd: string;
  state: string;
  /** A turn with a script for the fake. */
  run(steps: readonly Step[]): Promise<TurnEnd>;
  /** What the fake was told. */
  heard(): Record<string, unknown>[];
}

/** A backend for the fake. It is not started yet. */
export function testClaude(options: TestedOptions = {}): TestedClaude {
  const [cwd, state] = [options.cwd ?? tempFolder(), options.state ?? tempFolder()];
  const setup: AgentSetup = {
    name: 'claude',
    kind: 'claude',
    command: [process.execPath, '--no-warnings', PROGRAM],
    options: {},
    folder: state,
    log: SILENT_LOG,
    ...options.setup,
    env: { FAKE_CLAUDE_STATE: state, ...options.setup?.env },
  };
  const tested = testBackend(new ClaudeBackend(setup, options), cwd);
  return {
    ...tested,
    cwd,
    state,
    run: (steps) => tested.prompt(JSON.stringify(steps)),
    heard: () =>
      readFileSync(join(state, 'heard.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** A started backend for the fake. */
export async function startClaude(options: TestedOptions = {}): Promise<TestedClaude> {
  const tested = testClaude(options);
  await tested.backend.start(tested.session);
  return tested;
}

/** A message of the model that says something. */
export function say(text: string): Step {
  return { message: [{ type: 'text', text }] };
}

/** A message of the model that calls a tool. */
export function use(id: string, name: string, input: Record<string, unknown>, parent?: string): Step {
  return { message: [{ type: 'tool_use', id, name, input }], ...(parent === undefined ? {} : { parent }) };
}

/** What a tool came to. */
export function result(id: string, content: unknown, more: { is_error?: boolean; details?: unknown } = {}): Step {
  const { details, ...rest } = more;
  return { result: { id, content, ...rest }, ...(details === undefined ? {} : { details }) };
}
