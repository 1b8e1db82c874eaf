import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AgentBackend,
  type AgentMessage,
  type Approval,
  type BackendEvent,
  type ContentBlock,
  DragomanError,
  newId,
  type TurnEnd,
} from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import { type HeardEvents, hearEvents, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import type { AgentModel } from '../agent-model.ts';
import { agentConfig } from '../open-agent.fixture.ts';
import { openAgent } from '../open-agent.ts';
import { testStore } from '../session/session.fixture.ts';
import { BlockReader } from './blocks.fixture.ts';
import type { NativeChoice } from './native-backend.ts';
import { createNativeHost, type NativeHost } from './native-host.ts';

export interface TestHostOptions {
  /** Models by name; the first is the default. */
  models: Record<string, AgentModel>;
  config?: Parameters<typeof agentConfig>[0];
  files?: Readonly<Record<string, string>>;
  store?: Store;
  root?: string;
  folder?: string;
  approvalMs?: number;
  onOpened?: () => void;
}

/** One session of a runner: a backend, and everything it told. */
export interface TestSession extends Omit<HeardEvents, 'emit'> {
  backend: AgentBackend;
  reader: BlockReader;
  id: () => string;
  start(given?: { title?: string; model?: string; mode?: string }): Promise<void>;
  resume(agentSessionId: string, given?: { model?: string; mode?: string }): Promise<void>;
  fork(agentSessionId: string, beforeMessageId?: string, cwd?: string): Promise<void>;
  prompt(text: string, id?: string): Promise<TurnEnd>;
  /** The next question that is asked. */
  question(): Promise<Approval>;
}

export interface TestHost {
  host: NativeHost;
  root: string;
  folder: string;
  store: Store;
  /** `chosen`: what the agent is configured with. */
  session(chosen?: NativeChoice): TestSession;
}

/** The native agent behind its backends, in a project of the running test's own. */
export async function testHost(options: TestHostOptions): Promise<TestHost> {
  const { models, files = {}, root = tempFolder(), folder = tempFolder() } = options;
  const store = options.store ?? (await testStore());
  const home = tempFolder();
  for (const [path, content] of Object.entries({ '.dragoman/keep': '', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const config = agentConfig({
    agent: { snapshots: false, retry: { firstDelayMs: 1, maxDelayMs: 2 } },
    ...options.config,
  });
  const host = createNativeHost({
    models: () => Object.keys(models),
    ...(options.approvalMs === undefined ? {} : { approvalMs: options.approvalMs }),
    open(ports) {
      options.onOpened?.();
      return openAgent({
        store,
        folder,
        home,
        config: () => config,
        openModel(name = Object.keys(models)[0]!) {
          const model =
            models[name] ?? Object.values(models).find((each) => `${each.providerID}/${each.modelID}` === name);
          if (model === undefined) throw new DragomanError('not-found', `There is no model "${name}".`);
          return { ...model, ...(name in models ? { route: name } : {}) };
        },
        log: { debug() {}, info() {}, warn() {} },
        ...ports,
      });
    },
  });
  onTestFinished(() => host.close());
  return { host, root, folder, store, session: (chosen) => testSession(host, root, chosen) };
}

function testSession(host: NativeHost, root: string, chosen?: NativeChoice): TestSession {
  const backend = host.create(chosen);
  const { events, until, emit: hear } = hearEvents();
  const reader = new BlockReader();
  const emit = (event: BackendEvent) => {
    reader.push(event);
    hear(event);
  };
  const at = (given: { title?: string; model?: string; mode?: string } = {}, cwd = root) => ({
    sessionId: 'ses_hub',
    cwd,
    emit,
    ...given,
  });
  let questions = 0;
  return {
    backend,
    events,
    reader,
    until,
    id: () => events.flatMap((event) => (event.type === 'agent-updated' ? (event.agentSessionId ?? []) : []))[0]!,
    start: (given) => backend.start(at(given)),
    resume: (agentSessionId, given) => backend.resume!(at(given), agentSessionId),
    fork: (agentSessionId, beforeMessageId, cwd) => backend.fork!(at({}, cwd), agentSessionId, beforeMessageId),
    async prompt(text, id = newId('msg')) {
      const end = await backend.prompt({ id, content: [{ type: 'text', text }] });
      reader.expectSettled();
      return end;
    },
    async question() {
      const place = questions++;
      await until('approval-asked', () => events.filter(({ type }) => type === 'approval-asked').length > place);
      return events.flatMap((event) => (event.type === 'approval-asked' ? [event.approval] : []))[place]!;
    },
  };
}

/** What was said, without what the agent program says of itself and without ids. */
export function conversation(reader: BlockReader): AgentMessage[] {
  const names = new Map<string, string>();
  const named = (id: string) => names.get(id) ?? names.set(id, `call ${names.size + 1}`).get(id)!;
  const plain = (block: ContentBlock): ContentBlock => {
    if (block.type === 'tool_use')
      return {
        ...block,
        id: named(block.id),
        ...(block.parent_tool_use_id === undefined ? {} : { parent_tool_use_id: named(block.parent_tool_use_id) }),
      };
    return block.type === 'tool_result' ? { ...block, tool_use_id: named(block.tool_use_id) } : block;
  };
  return reader
    .messages()
    .filter(({ role }) => role !== 'agent')
    .map(({ role, content }) => ({ role, content: content.map(plain) }));
}
