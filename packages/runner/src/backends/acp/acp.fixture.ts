import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PromptBlock, TurnEnd } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { testBackend, type TestedBackend } from '../../backend/tested-backend.fixture.ts';
import { SILENT_LOG } from '../../runner-log.ts';
import { AcpBackend } from './acp-backend.ts';
import type { FakeOffer, Step } from './fake-agent.fixture.ts';

const PROGRAM = fileURLToPath(new URL('./fake-agent.fixture.ts', import.meta.url));

/** The command that runs the fake agent. */
const FAKE_AGENT: readonly string[] = [process.execPath, '--no-warnings', PROGRAM];

/** How the backend under test is set up. */
export interface TestedOptions {
  offer?: FakeOffer;
  setup?: Partial<AgentSetup>;
  cwd?: string;
  /** Where the fake agent keeps its conversations. */
  state?: string;
  cancelLimitMs?: number;
  env?: Record<string, string>;
}

/** A backend in front of an agent that runs as a process of its own, and everything that it told. */
export interface TestedAcp extends TestedBackend<AcpBackend> {
  cwd: string;
  state: string;
  /** A turn with a script for the fake agent, or with text. */
  run(content: readonly Step[] | string | readonly PromptBlock[]): Promise<TurnEnd>;
  /** What the fake agent was told, by method. */
  heard(): Record<string, unknown>[];
}

/** A backend for the fake agent. It is not started yet. */
export function testAcp(options: TestedOptions = {}): TestedAcp {
  const [cwd, state] = [options.cwd ?? tempFolder(), options.state ?? tempFolder()];
  const setup: AgentSetup = {
    name: 'fake',
    kind: 'acp',
    title: 'Fake',
    command: FAKE_AGENT,
    options: {},
    folder: state,
    log: SILENT_LOG,
    ...options.setup,
    env: {
      FAKE_ACP: JSON.stringify(options.offer ?? {}),
      FAKE_ACP_STATE: state,
      ...options.setup?.env,
      ...options.env,
    },
  };
  const tested = testBackend(new AcpBackend(setup, options), cwd);
  return {
    ...tested,
    cwd,
    state,
    run: (content) => tested.prompt(toContent(content)),
    heard: () => readHeard(state),
  };
}

/** A started backend for the fake agent. */
export async function startAcp(options: TestedOptions = {}): Promise<TestedAcp> {
  const tested = testAcp(options);
  await tested.backend.start(tested.session);
  return tested;
}

/** A folder with the fake agent under the name of a command, to be put on the PATH. */
export function fakeCommand(name: string): string {
  const folder = join(tempFolder(), 'bin');
  mkdirSync(folder);
  const [node, ...args] = FAKE_AGENT;
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\nprintf '%s\\n' "$*" > "$FAKE_ACP_STATE/arguments"\nexec "${node}" ${args.map((arg) => `"${arg}"`).join(' ')}\n`,
  );
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** Text as an update of the agent. */
export function chunk(text: string, messageId?: string): Step {
  return {
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
      ...(messageId === undefined ? {} : { messageId }),
    },
  };
}

function toContent(content: readonly Step[] | string | readonly PromptBlock[]): readonly PromptBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const [first] = content;
  if (first !== undefined && 'type' in first) return content as readonly PromptBlock[];
  return [{ type: 'text', text: JSON.stringify(content) }];
}

function readHeard(state: string): Record<string, unknown>[] {
  const lines = readFileSync(join(state, 'heard.log'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
