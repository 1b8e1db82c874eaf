import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Message, SessionState } from '@dragoman/protocol';
import type { ClientTalents } from './client-talents.ts';
import { encodePlan } from './encode-plan.ts';
import { encodeToolCall } from './encode-tool-call.ts';
import { compaction, textChunk } from './encode-updates.ts';
import { encodeUserMessage } from './encode-user-message.ts';

/** A session of earlier as the updates that an editor would have seen, each message and call once and whole. */
export function replaySession(state: SessionState, client: ClientTalents): SessionUpdate[] {
  const { messages, revert, todos } = state;
  const end = revert === undefined ? -1 : messages.findIndex(({ info }) => info.id === revert.messageID);
  const said = end === -1 ? messages : messages.slice(0, end);
  return [
    ...said.flatMap((message) => (message.info.role === 'user' ? asked(message, client) : answered(message, state))),
    ...(todos.length === 0 ? [] : [encodePlan(todos)]),
  ];
}

function asked(message: Message, client: ClientTalents): SessionUpdate[] {
  if (!message.parts.some(({ type }) => type === 'compaction')) return encodeUserMessage(message);
  const summary = message.info.role === 'user' ? message.info.summary?.body : undefined;
  return client.compaction && summary !== undefined ? [compaction(message.info.id, 'completed', { summary })] : [];
}

function answered({ info, parts }: Message, state: SessionState): SessionUpdate[] {
  if (info.role === 'assistant' && info.summary === true) return [];
  return parts.flatMap((part): SessionUpdate[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [textChunk('agent_message_chunk', part.id, part.text)];
      case 'reasoning':
        return part.text === '' ? [] : [textChunk('agent_thought_chunk', part.id, part.text)];
      case 'tool':
        return [{ sessionUpdate: 'tool_call', ...encodeToolCall(part, state.info) }];
      default: // The rest is bookkeeping.
        return [];
    }
  });
}
