import type { AssistantInfo, Message } from '../part/message.ts';
import type { AnyPart, ReasoningPart, TextPart, ToolPart } from '../part/part.ts';
import { addTokens, NO_TOKENS } from '../part/add-tokens.ts';
import type { Tokens } from '../part/tokens.ts';
import { canMoveToolState } from '../part/tool-moves.ts';
import type { ToolState } from '../part/tool-state.ts';
import type { AgentError } from './agent-error.ts';
import type { Todo } from './todo.ts';
import type { AgentEvent, AgentEventOf, Counters, LoggedEvent, QueuedPrompt, SessionInfo } from './agent-event.ts';

/** A turn, running or over. */
export interface TurnState {
  id: string;
  startedAt: number;
  counters: Counters;
  finishedAt?: number;
  error?: AgentError;
}

/** A session at a moment: what its events add up to. Nothing in it is ever changed; what did not change is shared. */
export interface SessionState {
  readonly info: SessionInfo;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  /** Prompts that wait. */
  readonly queue: readonly QueuedPrompt[];
  /** The running turn, or the last one. */
  readonly turn: TurnState | undefined;
  readonly counters: Counters;
  readonly cost: number;
  readonly tokens: Tokens;
  readonly todos: readonly Todo[];
  readonly revert: { messageID: string; snapshot?: string; files: readonly string[] } | undefined;
  /** The number of the last event that is in it. */
  readonly seq: number;
  readonly updatedAt: number;
}

/** The events of a session, from its first one on, to its state. */
export function foldSession(events: Iterable<LoggedEvent>, from?: SessionState): SessionState | undefined {
  let state = from;
  for (const logged of events) state = foldEvent(state, logged);
  return state;
}

/** The state after one more event. Pure: the same events give the same state, however their deltas were cut. */
export function foldEvent(state: SessionState | undefined, logged: LoggedEvent): SessionState {
  const { event, at, seq } = logged;
  if (event.type === 'session-created') return firstState(event.session, logged);
  if (state === undefined) throw new Error(`A session's log begins with "session-created", not with "${event.type}".`);
  return { ...state, ...changed(state, event, at), seq, updatedAt: at };
}

function firstState(info: SessionInfo, { seq, at }: LoggedEvent): SessionState {
  return {
    info,
    system: undefined,
    messages: [],
    queue: [],
    turn: undefined,
    counters: { modelCalls: 0, toolCalls: 0 },
    cost: 0,
    tokens: NO_TOKENS,
    todos: [],
    revert: undefined,
    seq,
    updatedAt: at,
  };
}

function changed(state: SessionState, event: AgentEvent, at: number): Partial<SessionState> {
  switch (event.type) {
    case 'session-created':
      return {};
    case 'session-updated': {
      const { title = state.info.title, agent = state.info.agent, model = state.info.model } = event;
      return { info: { ...state.info, title, agent, model } };
    }
    case 'system-changed':
      return { system: event.system };
    case 'prompt-admitted':
      return { queue: [...state.queue, event.prompt] };
    case 'prompt-withdrawn':
      return { queue: without(state.queue, event.messageID) };
    case 'turn-started':
      return { turn: { id: event.turnID, startedAt: at, counters: { modelCalls: 0, toolCalls: 0 } } };
    case 'message-added':
      return {
        messages: [...kept(state), event.message],
        queue: without(state.queue, event.message.info.id),
        revert: undefined,
      };
    case 'start-step':
      return {
        messages: [...state.messages, { info: event.info, parts: [stepStart(event)] }],
        ...counted(state, { modelCalls: 1, toolCalls: 0 }),
      };
    case 'reasoning-start':
      return addPart(state, event, {
        ...baseOf(state, event),
        type: 'reasoning',
        text: '',
        time: { start: at },
        ...optional('metadata', event.metadata),
      });
    case 'text-start':
      return addPart(state, event, { ...baseOf(state, event), type: 'text', text: '', time: { start: at } });
    case 'reasoning-delta':
    case 'text-delta':
      return changePart<ReasoningPart | TextPart>(state, event, (part) => ({ ...part, text: part.text + event.delta }));
    case 'reasoning-end':
    case 'text-end':
      return changePart<ReasoningPart | TextPart>(state, event, (part) => ({
        ...part,
        time: { start: part.time?.start ?? at, end: at },
        ...optional('metadata', event.metadata),
      }));
    case 'tool-input-start':
      return addPart(state, event, {
        ...baseOf(state, event),
        type: 'tool',
        callID: event.callID,
        tool: event.tool,
        state: { status: 'pending', input: {}, raw: '' },
      });
    case 'tool-input-delta':
      return changePart<ToolPart>(state, event, (part) =>
        part.state.status === 'pending'
          ? { ...part, state: { ...part.state, raw: part.state.raw + event.delta } }
          : part,
      );
    case 'tool-input-end':
      return event.metadata === undefined
        ? {}
        : changePart<ToolPart>(state, event, (part) => ({ ...part, metadata: event.metadata! }));
    case 'tool-call':
      return {
        ...changePart<ToolPart>(state, event, (part) =>
          part.state.status === 'pending' ? { ...part, state: { ...part.state, input: event.input } } : part,
        ),
        ...counted(state, { modelCalls: 0, toolCalls: 1 }),
      };
    case 'tool-state':
    case 'tool-result':
      return changePart<ToolPart>(state, event, (part) => ({ ...part, state: moved(part, event.state) }));
    case 'tool-metadata':
      return changePart<ToolPart>(state, event, (part) => ({ ...part, state: annotated(part.state, event) }));
    case 'part-added':
      return changeMessage(state, event.part.messageID, (message) => ({
        ...message,
        parts: [...message.parts, event.part],
      }));
    case 'part-removed':
      return changeMessage(state, event.messageID, (message) => ({
        ...message,
        parts: message.parts.filter(({ id }) => id !== event.partID),
      }));
    case 'finish-step':
      return {
        ...changeMessage(state, event.messageID, (message) => finished(message as Message<AssistantInfo>, event, at)),
        cost: state.cost + event.cost,
        tokens: addTokens(state.tokens, event.tokens),
      };
    case 'compacted':
      return { messages: stamped(state.messages, event, at) };
    case 'todos-updated':
      return { todos: event.todos };
    case 'reverted':
      return { revert: { messageID: event.messageID, files: event.files, ...optional('snapshot', event.snapshot) } };
    case 'unreverted':
      return { revert: undefined };
    case 'turn-finished':
      return {
        turn:
          state.turn === undefined ? undefined : { ...state.turn, finishedAt: at, ...optional('error', event.error) },
      };
  }
}

/** Messages that were taken back are gone once the conversation goes on from there. */
function kept({ messages, revert }: SessionState): readonly Message[] {
  if (revert === undefined) return messages;
  const end = messages.findIndex(({ info }) => info.id === revert.messageID);
  return end === -1 ? messages : messages.slice(0, end);
}

function without(queue: readonly QueuedPrompt[], messageID: string): readonly QueuedPrompt[] {
  return queue.some(({ message }) => message.info.id === messageID)
    ? queue.filter(({ message }) => message.info.id !== messageID)
    : queue;
}

function counted(state: SessionState, by: Counters): Partial<SessionState> {
  const counters = addCounters(state.counters, by);
  return state.turn === undefined
    ? { counters }
    : { counters, turn: { ...state.turn, counters: addCounters(state.turn.counters, by) } };
}

function addCounters(one: Counters, other: Counters): Counters {
  return { modelCalls: one.modelCalls + other.modelCalls, toolCalls: one.toolCalls + other.toolCalls };
}

function stepStart({ partID, info, snapshot }: AgentEventOf<'start-step'>): AnyPart {
  return {
    id: partID,
    sessionID: info.sessionID,
    messageID: info.id,
    type: 'step-start',
    ...optional('snapshot', snapshot),
  };
}

function finished(message: Message<AssistantInfo>, event: AgentEventOf<'finish-step'>, at: number): Message {
  const { partID, messageID, reason, cost, costSource, tokens, snapshot, error } = event;
  const part: AnyPart = {
    id: partID,
    sessionID: message.info.sessionID,
    messageID,
    type: 'step-finish',
    reason,
    cost,
    tokens,
    ...optional('snapshot', snapshot),
  };
  return {
    info: {
      ...message.info,
      cost,
      costSource,
      tokens,
      finish: reason,
      time: { ...message.info.time, completed: at },
      ...optional('error', error),
    },
    parts: [...message.parts, part],
  };
}

function stamped(
  messages: readonly Message[],
  { messageIDs, partIDs, summary }: AgentEventOf<'compacted'>,
  at: number,
): readonly Message[] {
  const [covered, pruned] = [new Set(messageIDs), new Set(partIDs)];
  const stampPart = (part: AnyPart): AnyPart => {
    if (!pruned.has(part.id) || part.type !== 'tool') return part;
    const { state } = part;
    if (state.status !== 'completed' && state.status !== 'error') return part;
    return { ...part, state: { ...state, time: { ...state.time, compacted: at } } as ToolState };
  };
  return messages.map((message) => {
    if (message.info.role === 'user' && message.info.id === summary?.messageID) {
      const { title, body, diffs } = summary;
      return { ...message, info: { ...message.info, summary: { title, body, diffs } } };
    }
    const isCovered = covered.has(message.info.id);
    if (!isCovered && !message.parts.some(({ id }) => pruned.has(id))) return message;
    const time = isCovered ? { ...message.info.time, compacted: at } : message.info.time;
    return { info: { ...message.info, time }, parts: message.parts.map(stampPart) };
  });
}

function moved(part: ToolPart, next: ToolState): ToolState {
  if (!canMoveToolState(part.state.status, next.status))
    throw new Error(`The tool call ${part.callID} is ${part.state.status} and cannot become ${next.status}.`);
  return next;
}

function annotated(state: ToolState, { title, metadata }: AgentEventOf<'tool-metadata'>): ToolState {
  if (state.status !== 'running' && state.status !== 'awaiting-approval') return state;
  return { ...state, ...optional('title', title), ...optional('metadata', metadata) };
}

interface OfPart {
  messageID: string;
  partID: string;
}

function baseOf(state: SessionState, { messageID, partID }: OfPart) {
  return { id: partID, sessionID: state.info.id, messageID };
}

function addPart(state: SessionState, { messageID }: OfPart, part: AnyPart): Partial<SessionState> {
  return changeMessage(state, messageID, (message) => ({ ...message, parts: [...message.parts, part] }));
}

function changePart<Kind extends AnyPart>(
  state: SessionState,
  { messageID, partID }: OfPart,
  change: (part: Kind) => Kind,
): Partial<SessionState> {
  return changeMessage(state, messageID, (message) => {
    const index = message.parts.findLastIndex(({ id }) => id === partID);
    return index === -1
      ? message
      : { ...message, parts: message.parts.with(index, change(message.parts[index] as Kind)) };
  });
}

/** What is being written is at the end, so it is looked for from there. */
function changeMessage(
  { messages }: SessionState,
  messageID: string,
  change: (message: Message) => Message,
): Partial<SessionState> {
  const index = messages.findLastIndex(({ info }) => info.id === messageID);
  return index === -1 ? {} : { messages: messages.with(index, change(messages[index]!)) };
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}
