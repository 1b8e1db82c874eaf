import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type AgentBackend,
  type ApprovalReply,
  type BackendCapabilities,
  type BackendEvent,
  type BackendPrompt,
  type BackendRevert,
  type BackendSession,
  DragomanError,
  idSchema,
  type SessionState,
  type TurnEnd,
} from '@dragoman/protocol';
import { modelName, primaryAgents } from '../acp/session-options.ts';
import type { Agent } from '../open-agent.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approval.ts';
import type { QuestionAnswer, QuestionRequest } from '../question/question.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { AgentNews } from './agent-news.ts';
import { capabilitiesAt, NATIVE_CAPABILITIES } from './native-capabilities.ts';
import { OpenQuestions } from './open-questions.ts';
import { readPrompt } from './read-prompt.ts';
import { SessionBlocks } from './session-blocks.ts';
import { sessionPath } from './session-path.ts';
import { turnEnd } from './turn-end.ts';

/** The model and the mode that sessions begin with. */
export type NativeChoice = Pick<BackendSession, 'model' | 'mode'>;

/** What a backend is made with; the agent is shared by all. */
export interface NativeBackendOptions {
  chosen: NativeChoice;
  agent: () => Promise<Agent>;
  /** The names of models that can be chosen. */
  models: () => readonly string[];
  /** Whether another backend works on that session. */
  isTaken: (agentSessionId: string) => boolean;
  onDisposed: (backend: NativeBackend) => void;
}

/** A session that is open. */
interface OpenSession {
  agent: Agent;
  runner: SessionRunner;
  workplace: Workplace;
  blocks: SessionBlocks;
  news: AgentNews;
  emit: (event: BackendEvent) => void;
  capabilities: BackendCapabilities;
  /** For agents that name no model themselves. */
  chosenModel: string;
}

/** Drives one session of the native agent. The session is stored, and stays when the backend is disposed of. */
export class NativeBackend implements AgentBackend {
  readonly #options: NativeBackendOptions;
  readonly #questions = new OpenQuestions();
  #open: OpenSession | undefined;
  #isDisposed = false;
  /** Fires when the turn that runs is called off. */
  #calledOff: AbortController | undefined;

  constructor(options: NativeBackendOptions) {
    this.#options = options;
  }

  get capabilities(): BackendCapabilities {
    return this.#open?.capabilities ?? NATIVE_CAPABILITIES;
  }

  async start(session: BackendSession): Promise<void> {
    const { chosen } = this.#options;
    const { cwd, title, model = chosen.model, mode = chosen.mode } = session;
    const agent = await this.#options.agent();
    const id = await freeId(agent, session.sessionId);
    await this.#take(session, agent, await agent.create({ id, cwd, title, model, agent: mode }));
  }

  /** What waited in the session is not taken up: the hub holds the queue, and knows what became of each prompt. */
  async resume(session: BackendSession, agentSessionId: string): Promise<void> {
    if (this.#options.isTaken(agentSessionId))
      throw new DragomanError('conflict', `Session ${agentSessionId} is already open elsewhere. Close it there first.`);
    const agent = await this.#options.agent();
    const runner = await agent.open(agentSessionId);
    await this.#take(session, agent, runner, async () => {
      refuseOtherFolder(runner, session.cwd);
      withdrawAll(runner);
      await choose(agent, runner, session);
    });
  }

  /** The message may be a prompt, by the id it was given with, or any that was told of. */
  async fork(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void> {
    const agent = await this.#options.agent();
    const before = beforeMessageId?.replace(/\.results$/, '');
    const runner = await agent.fork(agentSessionId, before, { cwd: session.cwd });
    await this.#take(session, agent, runner, () => choose(agent, runner, session));
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    const open = this.#opened();
    if (this.#calledOff !== undefined)
      throw new DragomanError(
        'conflict',
        `Session ${open.runner.id} is still running. Wait for it to finish, or cancel it.`,
      );
    const calledOff = new AbortController();
    this.#calledOff = calledOff;
    try {
      return await this.#work(open, prompt, calledOff.signal);
    } catch (error) {
      if (calledOff.signal.aborted) return { reason: 'cancelled' };
      throw error;
    } finally {
      await open.blocks.settle();
      this.#calledOff = undefined;
      open.news.tellCommands();
    }
  }

  async steer(prompt: BackendPrompt): Promise<boolean> {
    const { runner, workplace } = this.#opened();
    const calledOff = this.#calledOff?.signal;
    if (calledOff === undefined) return false;
    const read = await readPrompt(prompt, runner, workplace, calledOff);
    if (calledOff.aborted || this.#calledOff?.signal !== calledOff || !runner.isRunning) return false;
    const messageID = await runner.prompt({ ...read, delivery: 'steer' });
    // A turn that was cancelled meanwhile has left it behind.
    return [...runner.state.queue.map(({ message }) => message), ...runner.state.messages].some(
      ({ info }) => info.id === messageID,
    );
  }

  async cancel(): Promise<void> {
    this.#calledOff?.abort(new DOMException('The turn was cancelled.', 'AbortError'));
    const runner = this.#open?.runner;
    if (runner === undefined) return;
    withdrawAll(runner);
    await runner.abort();
  }

  async answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    this.#questions.answer(approvalId, reply);
  }

  async revert(messageId: string): Promise<BackendRevert> {
    const { agent, runner, workplace } = this.#opened();
    const { files, skipped } = await agent.revert(runner, messageId);
    const { cwd } = runner.state.info;
    return { files: files.map((path) => sessionPath(cwd, resolve(workplace.root, path))), skipped };
  }

  async setModel(model: string): Promise<void> {
    const open = this.#opened();
    await open.agent.open(open.runner.id, { model });
    open.chosenModel = model;
  }

  /** Another agent answers from the next prompt on. One that names its model brings it along. */
  async setMode(mode: string): Promise<void> {
    const { agent, runner, workplace, chosenModel } = this.#opened();
    const modes = primaryAgents(workplace.agents);
    const definition = modes.find(({ name }) => name === mode);
    if (definition === undefined)
      throw new DragomanError(
        'bad-request',
        `There is no mode "${mode}" here. The modes are: ${modes.map(({ name }) => name).join(', ')}.`,
      );
    const model = definition.model ?? chosenModel;
    await agent.open(runner.id, { agent: mode, ...(model === modelName(runner.state) ? {} : { model }) });
  }

  async forget(agentSessionId: string): Promise<void> {
    const agent = await this.#options.agent();
    await agent.remove(agentSessionId).catch((error: unknown) => {
      if (!(error instanceof DragomanError) || error.code !== 'not-found') throw error;
    });
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const open = this.#open;
    open?.news.close();
    try {
      await this.cancel();
      open?.blocks.close();
      await open?.runner.close();
    } finally {
      this.#options.onDisposed(this);
    }
  }

  /** The session of that id, when it is this one or does a task of it. */
  find(sessionID: string): SessionRunner | undefined {
    return this.#open?.blocks.find(sessionID);
  }

  /** Shows the calls of a session that does a task of this one. */
  follow(runner: SessionRunner): void {
    this.#open?.blocks.follow(runner);
  }

  /** Asks people whether a call may run, be it one of a subagent. */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { runner: own, emit } = this.#opened();
    return this.#questions.ask(request, { own, asking: this.find(request.sessionID) ?? own, emit }, signal);
  }

  /** Asks people what a running call wants to know, be it one of a subagent. */
  async askAnswer(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer> {
    const { runner: own, emit } = this.#opened();
    return this.#questions.askAnswer(request, { own, asking: this.find(request.sessionID) ?? own, emit }, signal);
  }

  async #work({ runner, workplace }: OpenSession, prompt: BackendPrompt, calledOff: AbortSignal): Promise<TurnEnd> {
    const read = await readPrompt(prompt, runner, workplace, calledOff);
    calledOff.throwIfAborted();
    await runner.prompt(read);
    // It may have been called off before there was a turn that could be.
    if (calledOff.aborted) await this.cancel();
    await runner.idle();
    if (calledOff.aborted) return { reason: 'cancelled' };
    return turnEnd(runner.state.turn?.error);
  }

  /** Works on the session from now on; when that cannot be, it is left to others. */
  async #take(
    { emit }: BackendSession,
    agent: Agent,
    runner: SessionRunner,
    prepare: () => Promise<void> = async () => {},
  ): Promise<void> {
    try {
      await prepare();
      const workplace = await agent.workplaceOf(runner);
      if (this.#isDisposed)
        throw new DragomanError('cancelled', `The session ${runner.id} was closed while it opened.`);
      const blocks = new SessionBlocks({
        runner,
        workplace,
        emit,
        contextTokens: (state) => contextTokens(agent, state),
      });
      const { models } = this.#options;
      const capabilities = await capabilitiesAt(workplace);
      const news = new AgentNews({ runner, workplace, models, capabilities, emit });
      const chosenModel = modelName(runner.state);
      this.#open = { agent, runner, workplace, blocks, news, emit, capabilities, chosenModel };
    } catch (error) {
      await runner.close();
      throw error;
    }
    this.#open.news.tell();
  }

  #opened(): OpenSession {
    if (this.#open !== undefined && !this.#isDisposed) return this.#open;
    throw new DragomanError('conflict', 'The session is not open; open it before anything is asked of it.');
  }
}

/** A session is called the same everywhere, unless the agent has one of that name already. */
async function freeId(agent: Agent, sessionId: string): Promise<string | undefined> {
  if (!idSchema('ses').safeParse(sessionId).success) return undefined;
  const isTaken = await agent.read(sessionId).then(
    () => true,
    () => false,
  );
  return isTaken ? undefined : sessionId;
}

/** The files that the conversation is about are somewhere else then. */
function refuseOtherFolder({ id, state }: SessionRunner, cwd: string): void {
  const place = state.info.cwd;
  if (realpathSync(place) !== realpathSync(cwd))
    throw new DragomanError('conflict', `The session ${id} works in ${place}, not in ${cwd}; open it there.`);
}

/** The model and the mode that are asked for, where the session has others. */
async function choose(agent: Agent, { id, state }: SessionRunner, { model, mode }: BackendSession): Promise<void> {
  await agent.open(id, {
    ...(model === undefined || model === modelName(state) ? {} : { model }),
    ...(mode === undefined || mode === state.info.agent ? {} : { agent: mode }),
  });
}

function withdrawAll(runner: SessionRunner): void {
  for (const { message } of runner.state.queue) runner.withdraw(message.info.id);
}

function contextTokens(agent: Agent, state: SessionState): number {
  try {
    return agent.model(modelName(state)).contextTokens;
  } catch {
    return 0; // It was taken out of the configuration meanwhile.
  }
}
