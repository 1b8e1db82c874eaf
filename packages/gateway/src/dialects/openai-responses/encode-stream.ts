import type { ModelSink, ProviderMetadata } from '@dragoman/protocol';
import { CustomInputStream } from '../../tools/custom-input-stream.ts';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { ClientTool } from '../../tools/tool-names.ts';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import { oneBlockAtATime } from '../one-block-at-a-time.ts';
import { callItem, callPrefix, customCallItem, functionCallItem } from './call-item.ts';
import type { ResponsesContext } from './decode-request.ts';
import { toErrorEvent, toResponseError } from './encode-error.ts';
import { messageItem, outputItemId, reasoningItem } from './output-item.ts';
import { nowInSeconds, type ResponseState, toEnding, toResponseObject } from './response-object.ts';
import type { ResponsesOutputItem } from './wire.ts';

interface OpenItem {
  id: string;
  index: number;
  text: string;
  /** What stands before a piece's sequence number, made once. */
  deltaHead: string;
}

interface OpenCall {
  /** The id that its result will name. */
  callId: string;
  tool: ClientTool;
  /** Absent for a tool with an item of its own: that is sent when all of it is known. */
  item: OpenItem | undefined;
  /** Reads the text for a custom tool. */
  custom: CustomInputStream | undefined;
  args: string;
}

/**
 * Model events as Responses events: a block is an output item. The service sends one item after the other, and some clients
 * take every piece for one of the last item that was added.
 *
 * Clients check that an item keeps its id and its place from its first event to its last, and that every event has the
 * next sequence number. What stands before a piece of text is made once per item, so a piece costs one JSON string.
 */
export function encodeResponsesStream(
  write: (text: string) => void,
  request: DecodedRequest<ResponsesContext>,
): ModelSink {
  const response: ResponseState = {
    id: answerId('resp_', undefined),
    model: request.asked,
    createdAt: nowInSeconds(),
    status: 'in_progress',
    output: [],
  };
  const open = {
    text: new Map<string, OpenItem>(),
    reasoning: new Map<string, OpenItem>(),
    tool: new Map<string, OpenCall>(),
  };
  const itemIds = new Set<string>();
  let isStarted = false;
  let sequence = 0;

  const send = (type: string, fields: object) =>
    write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`);
  const startResponse = () => {
    if (isStarted) return;
    isStarted = true;
    send('response.created', { response: toResponseObject(response, request) });
    send('response.in_progress', { response: toResponseObject(response, request) });
  };
  const endResponse = (ending: Partial<ResponseState>) => {
    Object.assign(response, ending);
    send(`response.${response.status}`, { response: toResponseObject(response, request) });
  };
  const addItem = (item: ResponsesOutputItem, deltaType: string, place: object): OpenItem => {
    startResponse();
    const index = response.output.push(item) - 1;
    itemIds.add(item.id);
    send('response.output_item.added', { output_index: index, item });
    const head = JSON.stringify({ type: deltaType, item_id: item.id, output_index: index, ...place });
    return {
      id: item.id,
      index,
      text: '',
      deltaHead: `event: ${deltaType}\ndata: ${head.slice(0, -1)},"sequence_number":`,
    };
  };
  const writeDelta = (item: OpenItem | undefined, delta: string) => {
    if (item === undefined) return;
    item.text += delta;
    write(`${item.deltaHead}${sequence++},"delta":${JSON.stringify(delta)}}\n\n`);
  };
  const endItem = ({ index }: OpenItem, item: ResponsesOutputItem) => {
    response.output[index] = item;
    send('response.output_item.done', { output_index: index, item });
  };
  const nextId = (prefix: string) => outputItemId(prefix, response.id, response.output.length);

  const startText = (id: string) => {
    const message = { ...messageItem(nextId('msg'), '', undefined), status: 'in_progress' as const, content: [] };
    const item = addItem(message, 'response.output_text.delta', { content_index: 0, logprobs: [] });
    open.text.set(id, item);
    send('response.content_part.added', { ...textPlace(item), part: textPart('') });
  };
  const endText = (item: OpenItem, metadata: ProviderMetadata | undefined) => {
    send('response.output_text.done', { ...textPlace(item), text: item.text, logprobs: [] });
    send('response.content_part.done', { ...textPlace(item), part: textPart(item.text) });
    endItem(item, messageItem(item.id, item.text, metadata));
  };

  const startReasoning = (id: string) => {
    // An upstream that names its block after OpenAI's item lets the item keep its name.
    const isOpenAiId = id.startsWith('rs_') && !itemIds.has(id);
    const reasoning = reasoningItem(isOpenAiId ? id : nextId('rs'), '', undefined);
    open.reasoning.set(id, addItem(reasoning, 'response.reasoning_summary_text.delta', { summary_index: 0 }));
  };
  const addReasoning = (item: OpenItem | undefined, delta: string) => {
    if (item === undefined || delta === '') return;
    if (item.text === '')
      send('response.reasoning_summary_part.added', { ...summaryPlace(item), part: summaryPart('') });
    writeDelta(item, delta);
  };
  const endReasoning = (item: OpenItem, metadata: ProviderMetadata | undefined) => {
    if (item.text !== '') {
      send('response.reasoning_summary_text.done', { ...summaryPlace(item), text: item.text });
      send('response.reasoning_summary_part.done', { ...summaryPlace(item), part: summaryPart(item.text) });
    }
    endItem(item, reasoningItem(item.id, item.text, metadata));
  };

  const startCall = (id: string, callId: string, toolName: string) => {
    const tool = request.context.tools.toolOf(toolName);
    const call: OpenCall = { callId, tool, item: undefined, custom: undefined, args: '' };
    const status = 'in_progress';
    if (tool.form === 'function') {
      const item = { ...functionCallItem(nextId('fc'), callId, tool, ''), status } as const;
      call.item = addItem(item, 'response.function_call_arguments.delta', {});
    } else if (tool.form === 'custom') {
      const item = { ...customCallItem(nextId('ctc'), callId, tool, ''), status } as const;
      call.item = addItem(item, 'response.custom_tool_call_input.delta', {});
      call.custom = new CustomInputStream();
    }
    open.tool.set(id, call);
  };
  const addArguments = (call: OpenCall | undefined, delta: string) => {
    if (call === undefined) return;
    if (call.item === undefined) call.args += delta;
    else if (call.custom === undefined) writeDelta(call.item, delta);
    else addInput(call.item, call.custom.push(delta));
  };
  const addInput = (item: OpenItem, input: string) => {
    if (input !== '') writeDelta(item, input);
  };
  const endCall = ({ callId, tool, item, custom, args }: OpenCall) => {
    if (item === undefined) {
      const whole = callItem(nextId(callPrefix(tool)), callId, tool, args);
      return endItem(addItem({ ...whole, status: 'in_progress' }, '', {}), whole);
    }
    if (custom !== undefined) addInput(item, custom.end());
    const { id, text } = item;
    const place = { item_id: id, output_index: item.index };
    if (custom === undefined) {
      send('response.function_call_arguments.done', { ...place, arguments: text });
      return endItem(item, functionCallItem(id, callId, tool, text));
    }
    send('response.custom_tool_call_input.done', { ...place, input: text });
    return endItem(item, customCallItem(id, callId, tool, text));
  };

  return oneBlockAtATime({
    push(event) {
      switch (event.type) {
        case 'text-delta':
          return writeDelta(open.text.get(event.id), event.delta);
        case 'reasoning-delta':
          return addReasoning(open.reasoning.get(event.id), event.delta);
        case 'tool-input-delta':
          return addArguments(open.tool.get(event.id), event.delta);
        case 'text-start':
          return startText(event.id);
        case 'reasoning-start':
          return startReasoning(event.id);
        case 'tool-input-start':
          return startCall(event.id, signCallId(event.id, event.providerMetadata), event.toolName);
        case 'text-end':
          return take(open.text, event.id, (item) => endText(item, event.providerMetadata));
        case 'reasoning-end':
          return take(open.reasoning, event.id, (item) => endReasoning(item, event.providerMetadata));
        case 'tool-input-end':
          return take(open.tool, event.id, endCall);
        case 'response-metadata':
          // Comes once more where another target takes over; a response that has begun keeps its name.
          if (isStarted) return;
          if (event.id !== undefined) response.id = answerId('resp_', event.id);
          response.model = event.modelId ?? response.model;
          return;
        case 'finish':
          startResponse();
          return endResponse({ ...toEnding(event.finishReason), usage: event.usage });
        case 'error':
          startResponse();
          send('error', toErrorEvent(event.error));
          return endResponse({ status: 'failed', error: toResponseError(event.error) });
      }
    },
  });
}

function take<Item>(open: Map<string, Item>, id: string, end: (item: Item) => void): void {
  const item = open.get(id);
  open.delete(id);
  if (item !== undefined) end(item);
}

function textPlace({ id, index }: OpenItem): object {
  return { item_id: id, output_index: index, content_index: 0 };
}

function summaryPlace({ id, index }: OpenItem): object {
  return { item_id: id, output_index: index, summary_index: 0 };
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function summaryPart(text: string): object {
  return { type: 'summary_text', text };
}
