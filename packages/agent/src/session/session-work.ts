import { join } from 'node:path';
import { type QueuedPrompt, titleOfWords, type UserInfo } from '@dragoman/protocol';
import type { AgentModel } from '../agent-model.ts';
import { isToolOffered } from '../agents/agent-definition.ts';
import type { AgentConfig } from '../config/agent-config-shape.ts';
import type { ApprovalStore } from '../permissions/approval-store.ts';
import type { Approver } from '../permissions/approval.ts';
import type { AskMode } from '../permissions/decide-call.ts';
import { permissionGate } from '../permissions/permission-gate.ts';
import { askPerson } from '../question/ask-person.ts';
import type { Asker } from '../question/question.ts';
import { stepSnapshots } from '../snapshots/step-snapshot.ts';
import { SessionTitles } from '../title/session-titles.ts';
import type { Tool } from '../tools/tool.ts';
import { offerTools } from '../turn/offered-tools.ts';
import { askAboutLoop } from '../turn/ask-about-loop.ts';
import { recordTurn } from '../turn/record-turn.ts';
import { runTurn, type StepFiles, type TurnOptions } from '../turn/run-turn.ts';
import { turnSettings } from '../turn/turn-settings.ts';
import { readMentions } from '../workplace/read-mentions.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { subtasksOf, toQueuedPrompt } from './admit-prompt.ts';
import type { SessionWork } from './session-runner.ts';
import type { Session } from './session.ts';

/** What a session's work stands on. */
export interface SessionWorkOptions {
  workplace: Workplace;
  config: () => AgentConfig;
  openModel: (name?: string) => AgentModel;
  approvals: ApprovalStore;
  approver: Approver | undefined;
  /** Who is asked what a call needs to know. */
  asker?: Asker | undefined;
  mode: AskMode;
  /** How long a person may take to answer; else it is configured. */
  approvalMs?: number | undefined;
  /** Where outputs go that are too long to be shown. */
  outputFolder: string;
}

/** What a session does in its workplace: reads prompts, and runs their turns with the agent and the model they name. */
export function sessionWork(options: SessionWorkOptions): SessionWork {
  const { workplace, config } = options;
  const titles = new SessionTitles(workplace.log);
  return {
    settle: () => titles.settle(),
    read: (prompt, { info }) =>
      toQueuedPrompt(prompt, {
        sessionID: info.id,
        agent: info.agent,
        model: info.model,
        mentions: readMentions(prompt.text ?? '', {
          cwd: info.cwd,
          root: info.root,
          agents: workplace.agents.map(({ name }) => name),
        }),
        at: Date.now(),
      }),
    news: (sessionID) => workplace.news(sessionID),
    runTurn(session, prompt, { abort, atBoundary }) {
      const messageID = prompt.message.info.id;
      return recordTurn(session, messageID, async () => {
        const words = nameSession(session, prompt);
        if (words !== undefined) beginTitle(session, words, prompt);
        const turn = await prepareTurn(session, prompt, options);
        return runTurn({ ...turn, abort, atBoundary, messageID, subtasks: subtasksOf(prompt.message.parts) });
      });
    },
  };

  /** Sessions of tasks have the title of their task; the offline model has no words of its own. */
  function beginTitle(session: Session, words: string, { message }: QueuedPrompt): void {
    const { titles: settings } = config().agent;
    const { parentID } = session.state.info;
    const { providerID, modelID, route } = message.info.model;
    if (!settings.auto || parentID !== undefined) return;
    if (settings.model === undefined && providerID === OFFLINE) return;
    titles.begin(session, words, () => options.openModel(settings.model ?? route ?? `${providerID}/${modelID}`));
  }

  async function prepareTurn(
    session: Session,
    { message }: QueuedPrompt,
    { openModel, approvals, approver, asker, mode, approvalMs, outputFolder }: SessionWorkOptions,
  ): Promise<Omit<TurnOptions, 'abort' | 'atBoundary' | 'messageID' | 'subtasks'>> {
    const { info } = message;
    const settings = config().agent;
    const agent = workplace.agent(info.agent);
    const model = openModel(info.model.route ?? `${info.model.providerID}/${info.model.modelID}`);
    const permit = permissionGate({
      session,
      permissions: () => workplace.permissions(agent),
      mode,
      approver,
      remember: async (rules) => {
        for (const rule of rules) await approvals.save(workplace.root, rule);
      },
      approvalMs: approvalMs ?? settings.timeouts.approvalMs,
      now: Date.now,
    });
    const isOffered = ({ id }: Tool.Info) =>
      isToolOffered(agent, id) &&
      info.tools?.[id] !== false &&
      !settings.tools.disabled.includes(id) &&
      (id !== 'task' || session.state.info.parentID === undefined || agent.tools?.['task'] === true);
    const files = stepFiles(workplace);
    return {
      session,
      model,
      agent: agent.name,
      system: await systemOf(session, info),
      tools: offerTools(workplace.registry, (tool) => isOffered(tool) && !workplace.isHidden(tool)),
      permit,
      ...(asker !== undefined && {
        askPerson: askPerson(asker, session.id, approvalMs ?? settings.timeouts.approvalMs),
      }),
      allowLoop: askAboutLoop({
        session,
        approver: settings.loop.action === 'ask' && mode === 'interactive' ? approver : undefined,
        approvalMs: approvalMs ?? settings.timeouts.approvalMs,
      }),
      stepFiles: () => files,
      settings: turnSettings(settings, agent.steps),
      call: {
        ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
        ...(agent.topP === undefined ? {} : { topP: agent.topP }),
        ...reasoningEffort(info.variant ?? agent.variant),
      },
      outputFolder: join(outputFolder, session.id),
    };
  }

  /** The system text stays as it is for as long as nothing it says has changed. */
  async function systemOf(session: Session, { agent, system }: UserInfo): Promise<string> {
    const text = await workplace.systemPrompt(workplace.agent(agent));
    const whole = system === undefined ? text : `${text}\n\n${system}`;
    if (session.state.system !== whole) session.append({ type: 'system-changed', system: whole });
    return whole;
  }
}

/** What a session is called before it was asked anything. */
export const UNTITLED = 'New session';

/** The provider of the model that is there without any. */
const OFFLINE = 'offline';

/** A session is called by what it was first asked. Gives back these words, where they have just become its title. */
function nameSession(session: Session, { message }: QueuedPrompt): string | undefined {
  if (session.state.info.title !== UNTITLED) return undefined;
  const part = message.parts.find(({ type }) => type === 'text');
  const words = part?.type === 'text' ? part.text : '';
  const title = titleOfWords(words);
  if (title === '') return undefined;
  session.append({ type: 'session-updated', title });
  return words;
}

/** Snapshots are opened when a step is about to change something for the first time. */
function stepFiles(workplace: Workplace): StepFiles {
  let steps: Promise<StepFiles | undefined> | undefined;
  const open = async () => {
    const snapshots = await workplace.snapshots();
    return snapshots === undefined ? undefined : stepSnapshots(snapshots, workplace.log);
  };
  return {
    async beforeChange() {
      steps ??= open();
      await (await steps)?.beforeChange();
    },
    afterStep: async () => (await steps)?.afterStep(),
  };
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** The variants that every provider knows are how hard the model thinks. */
function reasoningEffort(variant: string | undefined): TurnOptions['call'] {
  const effort = EFFORTS.find((known) => known === variant);
  return effort === undefined ? {} : { reasoningEffort: effort };
}
