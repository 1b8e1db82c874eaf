import {
  type AgentError,
  type AgentEvent,
  isOpenToolState,
  type Message,
  newId,
  NO_TOKENS,
  type SessionState,
  type ToolState,
} from '@dragoman/protocol';

/**
 * The events that end what nobody works on any more: calls fail, blocks of text and steps come to their end.
 *
 * `calls` is what the model is told of the calls; `error` is why their step ended.
 */
export function openWorkEnded(
  { messages }: Pick<SessionState, 'messages'>,
  { error, calls, at }: { error: AgentError; calls: string; at: number },
): AgentEvent[] {
  return messages.flatMap((message): AgentEvent[] => [
    ...message.parts.flatMap((part): AgentEvent[] => {
      const of = { messageID: part.messageID, partID: part.id };
      if (part.type === 'tool' && isOpenToolState(part.state))
        return [{ type: 'tool-result', ...of, state: failed(part.state, calls, at) }];
      if ((part.type === 'text' || part.type === 'reasoning') && part.time !== undefined && part.time.end === undefined)
        return [{ type: `${part.type}-end`, ...of }];
      return [];
    }),
    ...(isOpenStep(message) ? [finished(message.info.id, error)] : []),
  ]);
}

function failed(state: ToolState, error: string, end: number): ToolState {
  return {
    status: 'error',
    input: state.input,
    error,
    metadata: { interrupted: true },
    time: { start: state.status === 'running' ? state.time.start : end, end },
  };
}

function isOpenStep({ info }: Message): boolean {
  return info.role === 'assistant' && info.time.completed === undefined;
}

function finished(messageID: string, error: AgentError): AgentEvent {
  return {
    type: 'finish-step',
    partID: newId('prt'),
    messageID,
    reason: 'error',
    cost: 0,
    costSource: 'computed',
    tokens: NO_TOKENS,
    error,
  };
}
