import type { DragomanError } from '../dragoman-error.ts';
import type { PromptReasoning, PromptText, PromptToolCall } from './model-call.ts';
import type { FinishReason, ModelEvent, ModelSink, ModelUsage } from './model-event.ts';

/** A whole answer: what its events add up to. */
export interface ModelAnswer {
  id?: string;
  modelId?: string;
  content: (PromptText | PromptReasoning | PromptToolCall)[];
  finishReason: FinishReason;
  rawFinishReason?: string;
  usage?: ModelUsage;
  error?: DragomanError;
}

/** Gathers an answer's events into the answer. Blocks stand in the order in which they were started. */
export function gatherAnswer(): ModelSink & { answer: ModelAnswer } {
  const answer: ModelAnswer = { content: [], finishReason: 'other' };
  const open = new Map<string, PromptText | PromptReasoning | PromptToolCall>();
  const start = (kind: string, id: string, part: PromptText | PromptReasoning | PromptToolCall) => {
    open.set(kind + id, part);
    answer.content.push(part);
  };
  const end = (kind: string, event: Extract<ModelEvent, { type: 'text-end' | 'reasoning-end' | 'tool-input-end' }>) => {
    const part = open.get(kind + event.id);
    open.delete(kind + event.id);
    if (part !== undefined && event.providerMetadata !== undefined) part.providerOptions = event.providerMetadata;
  };

  return {
    answer,
    push(event) {
      switch (event.type) {
        case 'response-metadata':
          if (event.id !== undefined) answer.id = event.id;
          if (event.modelId !== undefined) answer.modelId = event.modelId;
          return;
        case 'text-start':
          return start('text', event.id, { type: 'text', text: '' });
        case 'reasoning-start':
          return start('reasoning', event.id, { type: 'reasoning', text: '' });
        case 'tool-input-start':
          return start('tool', event.id, {
            type: 'tool-call',
            toolCallId: event.id,
            toolName: event.toolName,
            input: '',
          });
        case 'text-delta':
          (open.get(`text${event.id}`) as PromptText).text += event.delta;
          return;
        case 'reasoning-delta':
          (open.get(`reasoning${event.id}`) as PromptReasoning).text += event.delta;
          return;
        case 'tool-input-delta':
          (open.get(`tool${event.id}`) as PromptToolCall).input += event.delta;
          return;
        case 'text-end':
          return end('text', event);
        case 'reasoning-end':
          return end('reasoning', event);
        case 'tool-input-end':
          return end('tool', event);
        case 'finish':
          answer.finishReason = event.finishReason;
          if (event.rawFinishReason !== undefined) answer.rawFinishReason = event.rawFinishReason;
          if (event.usage !== undefined) answer.usage = event.usage;
          return;
        case 'error':
          answer.finishReason = 'error';
          answer.error = event.error;
      }
    },
  };
}
