import type { BackendCapabilities, Fault, RunnerEvent, SessionSpec } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { AgentRegistry } from './backend/agent-registry.ts';
import { ScriptedBackend, type ScriptedOptions } from './backend/scripted-backend.fixture.ts';
import { openRunner, type Runner, type RunnerOptions } from './open-runner.ts';
import { MemoryHub } from './outbox/memory-hub.fixture.ts';
import { SILENT_LOG } from './runner-log.ts';

/** A runner with a hub in memory and agents that do what a test says. */
export interface TestRunner {
  hub: MemoryHub;
  runner: Runner;
  folder: string;
  /** Every backend that was made, in order. */
  backends: ScriptedBackend[];
  spec: (sessionId: string, more?: Partial<SessionSpec>) => SessionSpec;
  /** Waits for an event of a session, and gives it back. */
  seen: <Type extends RunnerEvent['type']>(
    sessionId: string,
    type: Type,
    matches?: (event: Extract<RunnerEvent, { type: Type }>) => boolean,
  ) => Promise<Extract<RunnerEvent, { type: Type }>>;
}

/** Opens a runner whose agent `scripted` runs this script. */
export function testRunner(
  script: ScriptedOptions | ((sessionId: string) => ScriptedOptions) = {},
  options: Partial<RunnerOptions> & { hub?: MemoryHub } = {},
): TestRunner {
  const hub = options.hub ?? new MemoryHub();
  const folder = options.folder ?? tempFolder();
  const backends: ScriptedBackend[] = [];
  const registry = options.registry ?? new AgentRegistry();
  if (options.registry === undefined)
    registry.registerBackend(
      'scripted',
      () => {
        const backend = new ScriptedBackend(typeof script === 'function' ? script(`${backends.length}`) : script);
        backends.push(backend);
        return backend;
      },
      { needsNoSetup: true, capabilities: { steer: true } },
    );
  const runner = openRunner({
    folder,
    registry,
    agents: () => ({}),
    link: hub,
    roots: () => [],
    name: 'here',
    host: 'test',
    version: '1',
    isShared: () => false,
    log: SILENT_LOG,
    limits: { startMs: 60_000, cancelMs: 20, disposeMs: 20, answerMs: 100 },
    retry: { firstMs: 1, maxMs: 5 },
    diskRetryMs: 20,
    ...options,
  });
  onTestFinished(() => runner.close());
  return {
    hub,
    runner,
    folder,
    backends,
    spec: (sessionId, more = {}) => ({ sessionId, agent: 'scripted', folder, ...more }),
    async seen(sessionId, type, matches = () => true) {
      type Wanted = Extract<RunnerEvent, { type: typeof type }>;
      const find = () => hub.events(sessionId).find((event) => event.type === type && matches(event as Wanted));
      await hub.until(() => find() !== undefined);
      return find() as Wanted;
    },
  };
}

/** A prompt in words. */
export function prompt(id: string, text = 'hello') {
  return { type: 'prompt' as const, prompt: { id, content: [{ type: 'text' as const, text }] } };
}

/** What happened, in short words, for comparison. Pieces are left out: how many there are depends on when they are sent. */
export function inShort(events: readonly RunnerEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'block-delta' ? [] : [SHORT[event.type](event as never)]));
}

const ending = (error: Fault | undefined) => (error === undefined ? '' : `: ${error.message}`);

const SHORT: { [Type in RunnerEvent['type']]: (event: Extract<RunnerEvent, { type: Type }>) => string } = {
  'agent-state': ({ state, error }) => `agent ${state}${ending(error)}`,
  'agent-updated': (event) => `updated ${Object.keys(event).slice(1).join(' ')}`,
  'turn-started': ({ promptId }) => (promptId === undefined ? 'turn started' : `turn started ${promptId}`),
  'turn-finished': ({ reason, error }) => `turn ${reason}${ending(error)}`,
  'prompt-taken': ({ promptId }) => `taken ${promptId}`,
  'block-start': ({ block }) => `start ${block.type}`,
  'block-delta': ({ delta }) => `delta ${delta}`,
  'block-stop': ({ block }) =>
    ['stop', block.type, 'text' in block ? block.text : '', 'message' in block ? block.message : '']
      .filter(Boolean)
      .join(' '),
  'approval-asked': ({ approval }) => `asked ${approval.id}`,
  'approval-withdrawn': ({ approvalId }) => `withdrawn ${approvalId}`,
  reverted: ({ messageId, files }) => `reverted ${[messageId, ...files].join(' ')}`,
  'revert-failed': ({ messageId, error }) => `not reverted ${messageId}${ending(error)}`,
};

/** An agent that can do nothing beside answering. */
export const NO_CAPABILITIES: BackendCapabilities = { resume: false, fork: false, steer: false, models: false };
