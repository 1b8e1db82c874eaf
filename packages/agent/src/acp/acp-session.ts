import type { AgentContext, ContentBlock, NewSessionResponse, PromptResponse } from '@agentclientprotocol/sdk';
import { type AgentEvent, DragomanError, newId, type SessionState, type ToolPart } from '@dragoman/protocol';
import { expandTypedCommand } from '../mcp/typed-command.ts';
import type { Agent } from '../open-agent.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approval.ts';
import type { Prompt } from '../session/admit-prompt.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import { ToolError } from '../tools/tool.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { approvalAnswer, permissionRequest } from './ask-permission.ts';
import type { ClientTalents } from './client-talents.ts';
import { decodePrompt } from './decode-prompt.ts';
import { encodeCommand } from './encode-command.ts';
import { encodeUpdates, textChunk } from './encode-updates.ts';
import { followCall } from './follow-call.ts';
import { replaySession } from './replay-session.ts';
import { modelName, primaryAgents, sessionModes, sessionOptions } from './session-options.ts';
import { turnEnd } from './stop-reason.ts';
import { UpdateQueue } from './update-queue.ts';

/** What a session is served with, and to whom. */
export interface AcpSessionOptions {
  runner: SessionRunner;
  agent: Agent;
  workplace: Workplace;
  models: () => readonly string[];
  client: AgentContext;
  talents: ClientTalents;
}

/** How long commands are waited for; servers that take longer are asked again after the next prompt. */
const COMMANDS_MS = 30_000;

/** One session as a client sees it: takes its prompts, and tells it everything that happens. */
export class AcpSession {
  readonly #options: AcpSessionOptions;
  readonly #runner: SessionRunner;
  readonly #updates: UpdateQueue;
  readonly #unsubscribe: () => void;
  /** Prompts that came from this client. */
  readonly #ownPrompts = new Set<string>();
  /** Calls of subagents that it was told about. */
  readonly #followed = new Set<string>();
  #isAdmitting = false;
  /** Fires when the prompt that is being worked on is called off. */
  #calledOff: AbortController | undefined;
  #toldCommands = '[]';
  /** For agents that name no model themselves. */
  #chosenModel: string;

  constructor(options: AcpSessionOptions) {
    const { runner, client } = options;
    this.#options = options;
    this.#runner = runner;
    this.#chosenModel = modelName(runner.state);
    this.#updates = new UpdateQueue((update) => client.notify('session/update', { sessionId: runner.id, update }));
    const encoder = encodeUpdates(
      {
        client: options.talents,
        contextTokens: (state) => this.#contextTokens(state),
        isOwnPrompt: (id) => this.#ownPrompts.has(id),
      },
      (update) => this.#updates.push(update),
    );
    this.#unsubscribe = runner.subscribe({
      event: ({ event }, state) => {
        if (event.type === 'prompt-admitted' && this.#isAdmitting) this.#ownPrompts.add(event.prompt.message.info.id);
        encoder.push(event, state);
        if (event.type === 'session-updated') this.#tellOptions(event);
      },
    });
  }

  get state(): SessionState {
    return this.#runner.state;
  }

  get isAtWork(): boolean {
    return this.#calledOff !== undefined || this.#runner.isRunning;
  }

  /** What can be chosen in it. */
  describe(): Pick<NewSessionResponse, 'modes' | 'configOptions'> {
    const choices = {
      state: this.state,
      agents: this.#options.workplace.agents,
      models: this.#options.models(),
    };
    return { modes: sessionModes(choices), configOptions: sessionOptions(choices) };
  }

  /** From a prompt until the agent stops; everything that happened has been told when it resolves. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.isAtWork)
      throw new DragomanError(
        'conflict',
        `The session ${this.#runner.id} is still at work on a prompt; wait for its end or cancel it first.`,
      );
    const calledOff = new AbortController();
    this.#calledOff = calledOff;
    const stop = () => void this.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#work(blocks, calledOff.signal);
    } catch (error) {
      if (calledOff.signal.aborted) return { stopReason: 'cancelled' };
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#calledOff = undefined;
      this.#tellCommands();
      await this.#updates.drained();
    }
  }

  /** Calls off what runs. Resolves when every call is settled. */
  async cancel(): Promise<void> {
    this.#calledOff?.abort(new DOMException('The prompt was cancelled.', 'AbortError'));
    await this.#runner.abort();
  }

  /** Another agent answers from the next prompt on. One that names its model brings it along. */
  async setMode(name: string): Promise<void> {
    const agents = primaryAgents(this.#options.workplace.agents);
    const definition = agents.find((agent) => agent.name === name);
    if (definition === undefined)
      throw new DragomanError(
        'bad-request',
        `There is no mode "${name}" here. The modes are: ${agents.map((agent) => agent.name).join(', ')}.`,
      );
    const model = definition.model ?? this.#chosenModel;
    await this.#options.agent.open(this.#runner.id, {
      agent: name,
      ...(model === modelName(this.state) ? {} : { model }),
    });
  }

  async setOption(id: string, value: unknown): Promise<void> {
    if (typeof value !== 'string') throw new DragomanError('bad-request', `The option "${id}" takes a name.`);
    if (id === 'mode') return this.setMode(value);
    if (id !== 'model')
      throw new DragomanError('bad-request', `There is no option "${id}" here. The options are: mode, model.`);
    await this.#options.agent.open(this.#runner.id, { model: value });
    this.#chosenModel = value;
  }

  /** Tells everything that was said so far. */
  async replay(): Promise<void> {
    for (const update of replaySession(this.state, this.#options.talents)) this.#updates.push(update);
    await this.#updates.drained();
  }

  /** Tells the commands that there are, once it is known which. */
  async tellCommands(): Promise<void> {
    await this.#options.workplace.mcp?.ready(COMMANDS_MS);
    this.#tellCommands();
  }

  /** Asks the person whether a call may run. The call may be one of a subagent, which the client has not seen yet. */
  async ask(request: ApprovalRequest, runner: SessionRunner, signal: AbortSignal): Promise<ApprovalAnswer> {
    const part = findCall(runner.state, request);
    const isOwn = runner.id === this.#runner.id;
    if (part !== undefined && !isOwn && !this.#followed.has(part.id)) {
      this.#followed.add(part.id);
      followCall(runner, part, (update) => this.#updates.push(update));
    }
    await this.#updates.drained();
    const title = isOwn ? request.title : `${runner.state.info.agent}: ${request.title}`;
    const calledOff = this.#calledOff?.signal;
    const question = permissionRequest(this.#runner.id, { ...request, title }, part, runner.state);
    try {
      const answer = await this.#options.client.request('session/request_permission', question, {
        cancellationSignal: calledOff === undefined ? signal : AbortSignal.any([signal, calledOff]),
        stopWaitingOnCancel: true,
      });
      return approvalAnswer(answer);
    } catch (error) {
      signal.throwIfAborted();
      if (calledOff?.aborted === true) return { decision: 'reject' };
      throw new ToolError(
        `The editor could not ask whether this may run (${(error as Error).message}), so it was not run.`,
        { cause: error },
      );
    }
  }

  /** Ends what runs and lets others work on the session. */
  async close(): Promise<void> {
    await this.cancel();
    this.#unsubscribe();
    await this.#runner.close();
  }

  async #work(blocks: readonly ContentBlock[], calledOff: AbortSignal): Promise<PromptResponse> {
    const prompt = await this.#read(blocks, calledOff);
    calledOff.throwIfAborted();
    this.#isAdmitting = true;
    const admitted = this.#runner.prompt(prompt);
    this.#isAdmitting = false;
    const messageID = await admitted;
    // It may have been called off before there was a turn that could be.
    if (calledOff.aborted) await this.#runner.abort();
    const result = await this.#runner.idle();
    if (calledOff.aborted) {
      this.#runner.withdraw(messageID);
      return { stopReason: 'cancelled' };
    }
    const { stopReason, message } = turnEnd(result?.error, this.state);
    if (message !== undefined) this.#say(message);
    return { stopReason };
  }

  /** The prompt with what a command stands for in its place. */
  #read(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<Prompt> {
    return expandTypedCommand(decodePrompt(blocks, this.state.info), this.#options.workplace.mcp, signal);
  }

  /** What a person should know and no other word of the protocol says. */
  #say(message: string): void {
    this.#updates.push(
      this.#options.talents.notices
        ? { sessionUpdate: 'notice', severity: 'warning', title: message }
        : textChunk('agent_message_chunk', newId('prt'), message),
    );
  }

  #tellOptions({ agent, model }: Extract<AgentEvent, { type: 'session-updated' }>): void {
    if (agent === undefined && model === undefined) return;
    this.#updates.push({ sessionUpdate: 'config_option_update', configOptions: this.describe().configOptions ?? [] });
  }

  #tellCommands(): void {
    const availableCommands = (this.#options.workplace.mcp?.listCommands() ?? []).map(encodeCommand);
    const told = JSON.stringify(availableCommands);
    if (told === this.#toldCommands) return;
    this.#toldCommands = told;
    this.#updates.push({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  #contextTokens(state: SessionState): number {
    try {
      return this.#options.agent.model(modelName(state)).contextTokens;
    } catch {
      return 0; // It was taken out of the configuration meanwhile.
    }
  }
}

function findCall({ messages }: SessionState, { messageID, callID }: ApprovalRequest): ToolPart | undefined {
  const message = messages.findLast(({ info }) => info.id === messageID);
  return message?.parts.findLast((part): part is ToolPart => part.type === 'tool' && part.callID === callID);
}
