import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TurnEnd } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { testBackend, type TestedBackend } from '../../backend/tested-backend.fixture.ts';
import { SILENT_LOG } from '../../runner-log.ts';
import { CodexBackend } from './codex-backend.ts';
import type { FakeOffer, Step } from './fake-codex.fixture.ts';

const PROGRAM = fileURLToPath(new URL('./fake-codex.fixture.ts', import.meta.url));

/** How the backend under test is set up. */
export interface TestedOptions {
  offer?: FakeOffer;
  setup?: Partial<AgentSetup>;
  cwd?: string;
  /** Where the fake keeps its conversations. */
  state?: string;
  cancelLimitMs?: number;
}

/** A backend in front of the fake, which runs as a process of its own. */
export interface TestedCodex extends TestedBackend<CodexBackend> {
  cwd: string;
  state: string;
  /** A turn with a script for the fake. */
  run(steps: readonly Step[]): Promise<TurnEnd>;
  /** What the fake was told. */
  heard(method?: string): Record<string, unknown>[];
  /** What it was answered. */
  answers(): unknown[];
}

/** A backend for the fake. It is not started yet. */
export function testCodex(options: TestedOptions = {}): TestedCodex {
  const [cwd, state] = [options.cwd ?? tempFolder(), options.state ?? tempFolder()];
  const setup: AgentSetup = {
    name: 'codex',
    kind: 'codex',
    command: [process.execPath, '--no-warnings', PROGRAM],
    options: {},
    folder: state,
    log: SILENT_LOG,
    ...options.setup,
    env: { FAKE_CODEX: JSON.stringify(options.offer ?? {}), FAKE_CODEX_STATE: state, ...options.setup?.env },
  };
  const tested = testBackend(new CodexBackend(setup, options), cwd);
  const lines = () =>
    readFileSync(join(state, 'heard.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    ...tested,
    cwd,
    state,
    run: (steps) => tested.prompt(JSON.stringify(steps)),
    heard: (method) =>
      lines()
        .filter((line) => method === undefined || line['method'] === method)
        .map((line) => (method === undefined ? line : (line['params'] as Record<string, unknown>))),
    answers: () => lines().flatMap((line) => ('answered' in line ? [line['answered']] : [])),
  };
}

/** A started backend for the fake. */
export async function startCodex(options: TestedOptions = {}): Promise<TestedCodex> {
  const tested = testCodex(options);
  await tested.backend.start(tested.session);
  return tested;
}

/** A message of the model. */
export function say(text: string, id = `msg_${text}`): Step {
  return { item: { type: 'agentMessage', id, text, phase: null } };
}

/** A command from its beginning to its end. */
export function command(id: string, line: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'commandExecution',
    id,
    command: `/bin/bash -lc ${/^\w+$/.test(line) ? line : `'${line}'`}`,
    processId: null,
    source: 'agent',
    status: 'completed',
    commandActions: [{ type: 'unknown', command: line }],
    aggregatedOutput: null,
    exitCode: 0,
    durationMs: 1,
    ...more,
  };
}
