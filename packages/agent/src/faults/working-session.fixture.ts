import { compilePermissions, DragomanError, newId, type SessionInfo } from '@dragoman/protocol';
import { type Prompt, toQueuedPrompt } from '../session/admit-prompt.ts';
import { type SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';
import { SessionRunner } from '../session/session-runner.ts';
import type { AgentModel } from '../agent-model.ts';
import type { Approver } from '../permissions/approval.ts';
import { permissionGate } from '../permissions/permission-gate.ts';
import { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';
import { offerTools } from '../turn/offered-tools.ts';
import { recordTurn } from '../turn/record-turn.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { TurnSettings } from '../turn/turn-settings.ts';

export interface WorkingSession {
  store: SessionStore;
  model: AgentModel;
  tools: readonly Tool.Info[];
  settings: TurnSettings;
  outputFolder: string;
  /** Asked about the tool named `guarded`; without one it is denied. */
  approver?: Approver;
  approvalMs?: number;
  news?: () => string[];
}

/** A session with a runner, real turns and a model that a test brings along; without the files of a workplace. */
export async function createWorking(options: WorkingSession): Promise<SessionRunner> {
  const info: SessionInfo = {
    id: newId('ses'),
    title: 'Faults',
    cwd: '/project',
    root: '/project',
    agent: 'build',
    model: { providerID: options.model.providerID, modelID: options.model.modelID },
    time: { created: Date.now() },
  };
  return working(await Session.create(options.store, info), options);
}

/** The same for a session that is there already. */
export function working(session: Session, options: WorkingSession): SessionRunner {
  const { model, tools, settings, outputFolder, approver, approvalMs = 1_000, news = () => [] } = options;
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const permissions = compilePermissions([
    { tool: '*', pattern: '*', action: 'allow', origin: 'the test' },
    { tool: 'guarded', pattern: '*', action: 'ask', origin: 'the test' },
  ]);
  return new SessionRunner(session, {
    news,
    read: (prompt: Prompt, { info }) =>
      toQueuedPrompt(prompt, {
        sessionID: info.id,
        agent: info.agent,
        model: info.model,
        mentions: { files: [], agents: [] },
        at: Date.now(),
      }),
    runTurn(_session, prompt, { abort, atBoundary }) {
      const messageID = prompt.message.info.id;
      return recordTurn(session, messageID, () =>
        runTurn({
          session,
          model,
          agent: 'build',
          system: 'You are a test.',
          tools: offerTools(registry, () => true),
          permit: permissionGate({
            session,
            permissions: async () => permissions,
            mode: 'interactive',
            approver,
            remember: async () => {
              throw new DragomanError('internal', 'Nothing is remembered here.');
            },
            approvalMs,
            now: Date.now,
          }),
          allowLoop: async () => false,
          stepFiles: () => ({ beforeChange: async () => {}, afterStep: async () => undefined }),
          settings,
          outputFolder,
          abort,
          messageID,
          atBoundary,
        }),
      );
    },
  });
}
