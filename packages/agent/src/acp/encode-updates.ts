import type { ContentChunk, SessionUpdate, ToolCall, ToolCallUpdate } from '@agentclientprotocol/sdk';
import {
  type AgentEvent,
  type AgentEventOf,
  type AssistantInfo,
  type Message,
  type RetryPart,
  type SessionState,
  type ToolPart,
  totalTokens,
} from '@dragoman/protocol';
import type { ClientTalents } from './client-talents.ts';
import { encodePlan } from './encode-plan.ts';
import { encodeToolCall, textContent } from './encode-tool-call.ts';
import { encodeUserMessage } from './encode-user-message.ts';

/** What updates depend on beside the events. */
export interface UpdateOptions {
  client: ClientTalents;
  /** How many tokens a model takes; 0 when that is not known. */
  contextTokens: (state: SessionState) => number;
  /** The client has shown this prompt itself. */
  isOwnPrompt: (messageID: string) => boolean;
}

/** Takes the events of one session. `state` has the event in it. */
export interface UpdateEncoder {
  push(event: AgentEvent, state: SessionState): void;
}

/**
 * Events of a session in, updates for an editor out.
 *
 * Each block of text is a message of its own, so that an answer that was begun anew does not run on from the broken one.
 * A call is known by its part, because providers use the ids of calls again.
 */
export function encodeUpdates(options: UpdateOptions, write: (update: SessionUpdate) => void): UpdateEncoder {
  const { client, isOwnPrompt } = options;
  const openCalls = new Set<string>();

  /** The first time all of the call, after that what has changed. */
  const writeCall = (
    event: { messageID: string; partID: string },
    state: SessionState,
    changed: readonly (keyof ToolCall)[],
  ) => {
    const part = findCall(state, event);
    if (part === undefined) return;
    const call = encodeToolCall(part, state.info);
    if (openCalls.has(part.id)) write({ sessionUpdate: 'tool_call_update', ...pick(call, changed) });
    else write({ sessionUpdate: 'tool_call', ...call });
    openCalls.add(part.id);
  };

  return {
    push(event, state) {
      switch (event.type) {
        case 'text-delta':
        case 'reasoning-delta': {
          if (messageOf(state, event.messageID)?.summary === true) return;
          const kind = event.type === 'text-delta' ? 'agent_message_chunk' : 'agent_thought_chunk';
          write(textChunk(kind, event.partID, event.delta));
          return;
        }
        case 'tool-input-start':
          writeCall(event, state, []);
          return;
        case 'tool-call':
          writeCall(event, state, ['title', 'rawInput', 'locations', 'content']);
          return;
        case 'tool-state':
          // One that waits for an answer is told with the question.
          if (event.state.status === 'running') writeCall(event, state, ['status']);
          return;
        case 'tool-metadata':
          writeCall(event, state, ['title', 'content']);
          return;
        case 'tool-result':
          writeCall(event, state, ['status', 'title', 'locations', 'content']);
          openCalls.delete(event.partID);
          return;
        case 'part-removed':
          if (openCalls.delete(event.partID)) write(brokenOff(event.partID));
          return;
        case 'part-added':
          if (event.part.type === 'retry' && client.notices) write(retryNotice(event.part));
          return;
        case 'message-added':
          for (const update of addedMessage(event.message)) write(update);
          return;
        case 'finish-step':
          for (const update of finishedStep(event, state)) write(update);
          return;
        case 'compacted':
          if (event.summary !== undefined && client.compaction)
            write(compaction(event.summary.messageID, 'completed', { summary: event.summary.body }));
          return;
        case 'todos-updated':
          write(encodePlan(event.todos));
          return;
        case 'session-updated':
          if (event.title !== undefined) write({ sessionUpdate: 'session_info_update', title: event.title });
          if (event.agent !== undefined) write({ sessionUpdate: 'current_mode_update', currentModeId: event.agent });
          return;
        default: // Where blocks, steps and turns begin and end is told by what is in them, and by the answer to the prompt.
      }
    },
  };

  function addedMessage(message: Message): SessionUpdate[] {
    const { id } = message.info;
    if (message.info.role !== 'user' || isOwnPrompt(id)) return [];
    const marker = message.parts.find((part) => part.type === 'compaction');
    if (marker === undefined) return encodeUserMessage(message);
    if (client.compaction) return [compaction(id, 'in_progress')];
    return client.notices
      ? [
          {
            sessionUpdate: 'notice',
            severity: 'info',
            title: 'The conversation is getting long. Summarizing it…',
          },
        ]
      : [];
  }

  function finishedStep({ messageID, error, tokens }: AgentEventOf<'finish-step'>, state: SessionState) {
    const info = messageOf(state, messageID);
    const updates: SessionUpdate[] = [];
    if (info?.summary === true && error !== undefined && client.compaction)
      updates.push(
        compaction(info.parentID, error.code === 'aborted' ? 'cancelled' : 'failed', { error: error.message }),
      );
    const [used, size] = [totalTokens(tokens), options.contextTokens(state)];
    // What a summary took is not what the conversation takes.
    if (info?.summary !== true && used > 0 && size > 0)
      updates.push({
        sessionUpdate: 'usage_update',
        used,
        size,
        ...(state.cost > 0 ? { cost: { amount: state.cost, currency: 'USD' } } : {}),
      });
    return updates;
  }
}

/** A piece of text of one block. */
export function textChunk<Kind extends 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'>(
  sessionUpdate: Kind,
  messageId: string,
  text: string,
): ContentChunk & { sessionUpdate: Kind } {
  return { sessionUpdate, messageId, content: { type: 'text', text } };
}

/** How the view of the model was shortened. */
export function compaction(
  compactionId: string,
  status: 'in_progress' | 'completed' | 'failed' | 'cancelled',
  { summary, error }: { summary?: string; error?: string } = {},
): SessionUpdate {
  return {
    sessionUpdate: 'compaction_update',
    compactionId,
    status,
    ...(summary === undefined ? {} : { summary: [{ type: 'text', text: summary }] }),
    ...(error === undefined ? {} : { error }),
  };
}

function retryNotice({ attempt, error }: RetryPart): SessionUpdate {
  return {
    sessionUpdate: 'notice',
    severity: 'warning',
    title: `Retrying (attempt ${attempt + 1}).`,
    description: error.message,
  };
}

/** A call that was half written when the model's answer broke off; it comes again, or does not. */
function brokenOff(toolCallId: string): SessionUpdate {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'failed',
    content: [textContent('The answer was cut off. Retrying…')],
  };
}

function messageOf(state: SessionState, messageID: string): AssistantInfo | undefined {
  const info = state.messages.findLast((message) => message.info.id === messageID)?.info;
  return info?.role === 'assistant' ? info : undefined;
}

function findCall(
  { messages }: SessionState,
  { messageID, partID }: { messageID: string; partID: string },
): ToolPart | undefined {
  const part = messages.findLast(({ info }) => info.id === messageID)?.parts.find(({ id }) => id === partID);
  return part?.type === 'tool' ? part : undefined;
}

/** Some fields of a call. Those that have nothing in them stay as they are, but for what it shows when it has ended. */
function pick(call: ToolCall, fields: readonly (keyof ToolCall)[]): ToolCallUpdate {
  const hasEnded = fields.includes('status') && fields.includes('content');
  return {
    toolCallId: call.toolCallId,
    ...(hasEnded ? { content: [] } : {}),
    ...Object.fromEntries(Object.entries(call).filter(([field]) => fields.includes(field as keyof ToolCall))),
  };
}
