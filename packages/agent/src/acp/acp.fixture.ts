import {
  client,
  type ClientContext,
  type McpServer,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type ToolCall,
} from '@agentclientprotocol/sdk';
import { DragomanError } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import type { AgentModel } from '../agent-model.ts';
import { agentConfig } from '../open-agent.fixture.ts';
import { openAgent } from '../open-agent.ts';
import { testStore } from '../session/session.fixture.ts';
import { serveAcp } from './serve-acp.ts';

export interface TestedAcpOptions {
  /** Models by name; the first is the default. */
  models: Record<string, AgentModel>;
  config?: Record<string, unknown>;
  /** Answers questions; by default with a no. */
  permit?: (request: RequestPermissionRequest, signal: AbortSignal) => string | undefined | Promise<string | undefined>;
  capabilities?: Record<string, unknown>;
  store?: Awaited<ReturnType<typeof testStore>>;
  isInitialized?: boolean;
}

export interface TestedAcp {
  agent: ClientContext;
  /** Everything that was told, in order. */
  updates: { sessionId: string; update: SessionUpdate }[];
  questions: RequestPermissionRequest[];
  errors: unknown[];
  /** A session in a folder. */
  open(cwd: string, mcpServers?: McpServer[]): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
  /** Waits for an update of that kind. */
  until(kind: SessionUpdate['sessionUpdate'], matches?: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
  /** Sends bytes as they are. */
  sendRaw(text: string): Promise<void>;
  /** The client goes away; resolves when all is closed. */
  leave(): Promise<void>;
}

/** The agent behind the protocol, and the official client in front of it, connected by streams as a process would be. */
export async function testAcp(options: TestedAcpOptions): Promise<TestedAcp> {
  const { models, permit = () => 'reject', capabilities = {} } = options;
  const store = options.store ?? (await testStore());
  const home = tempFolder();
  const config = agentConfig({ agent: { snapshots: false }, ...options.config });
  const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const updates: TestedAcp['updates'] = [];
  const questions: RequestPermissionRequest[] = [];
  const errors: unknown[] = [];
  const watchers = new Set<() => void>();

  const served = serveAcp({
    async withAgent(approver, use) {
      const agent = openAgent({
        store,
        folder: home,
        home,
        config: () => config,
        openModel(name = Object.keys(models)[0]!) {
          const model =
            models[name] ?? Object.values(models).find((each) => `${each.providerID}/${each.modelID}` === name);
          if (model === undefined) throw new DragomanError('not-found', `There is no model "${name}".`);
          return { ...model, ...(name in models ? { route: name } : {}) };
        },
        approver,
        mode: 'interactive',
        log: { debug() {}, info() {}, warn() {} },
      });
      try {
        await use({ agent, models: () => Object.keys(models) });
      } finally {
        await agent.close();
      }
    },
    input: toAgent.readable,
    output: toClient.writable,
    version: '1.2.3',
    onError: (error) => errors.push(error),
  });
  const connection = client({ name: 'test' })
    .onNotification('session/update', ({ params: { sessionId, update } }) => {
      updates.push({ sessionId, update });
      for (const look of watchers) look();
    })
    .onRequest('session/request_permission', async ({ params, signal }): Promise<RequestPermissionResponse> => {
      questions.push(params);
      const optionId = await permit(params, signal);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .connect(ndJsonStream(toAgent.writable, toClient.readable));
  const leave = async () => {
    connection.close();
    await toAgent.writable.close().catch(() => {});
    await served;
  };
  onTestFinished(leave);
  if (options.isInitialized !== false)
    await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
  return {
    agent: connection.agent,
    updates,
    questions,
    errors,
    open: async (cwd, mcpServers = []) =>
      (await connection.agent.request('session/new', { cwd, mcpServers })).sessionId,
    prompt: async (sessionId, text) =>
      (await connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })).stopReason,
    until: (kind, matches = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = updates.find(({ update }) => update.sessionUpdate === kind && matches(update));
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found.update);
        };
        watchers.add(look);
        look();
      }),
    async sendRaw(text) {
      const writer = toAgent.writable.getWriter();
      await writer.write(new TextEncoder().encode(text));
      writer.releaseLock();
    },
    leave,
  };
}

/** The text that the agent said in a session. */
export function textSaid(updates: TestedAcp['updates'], sessionId: string): string {
  return updates
    .filter((each) => each.sessionId === sessionId)
    .map(({ update }) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
    )
    .join('');
}

/** The calls of a session as an editor has them in the end: every update put on top of the one before. */
export function callsShown(updates: TestedAcp['updates'], sessionId: string): ToolCall[] {
  const shown = new Map<string, ToolCall>();
  for (const { sessionId: id, update } of updates) {
    if (id !== sessionId) continue;
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    const { sessionUpdate: _kind, ...call } = update;
    shown.set(call.toolCallId, { ...shown.get(call.toolCallId), ...call } as ToolCall);
  }
  return [...shown.values()];
}

/** The states that a call went through. */
export function statesOf(updates: TestedAcp['updates'], toolCallId: string): unknown[] {
  return updates.flatMap(({ update }) =>
    'toolCallId' in update && update.toolCallId === toolCallId && update.status !== undefined ? [update.status] : [],
  );
}
