import type { ModelSink, ProviderMetadata } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import type { DecodedRequest } from '../dialect.ts';
import type { AugmentContext } from './decode-request.ts';
import { encodeTypedStream } from './encode-typed-stream.ts';
import { errorText } from './error-text.ts';
import { encodeNdjsonLine } from './ndjson.ts';
import {
  type AugmentToolCall,
  textNode,
  thinkingNode,
  type ThinkingBlock,
  tokenUsageNode,
  toolUseNode,
} from './nodes.ts';
import { stopNumber } from './stop-reason.ts';
import type { SentLine, SentNode } from './wire.ts';

/** The encoder of one answer, which can tell afterwards whether the client has tools to run. */
export interface AugmentStream extends ModelSink {
  readonly hasToolCalls: boolean;
}

/**
 * Model events as Augment chat lines.
 *
 * Text leaves as it comes, and once more as a whole in a node, which is what the client remembers. Reasoning is gathered
 * into one node, because each node is shown as a block of its own. Tool calls wait for the end, when they are complete.
 */
export function encodeAugmentStream(
  write: (text: string) => void,
  { context }: DecodedRequest<AugmentContext>,
): AugmentStream {
  return context.isTyped ? encodeTypedStream(write) : encodeDefaultStream(write);
}

function encodeDefaultStream(write: (text: string) => void): AugmentStream {
  const answer = new OpenAnswer();
  const line = (value: SentLine) => write(encodeNdjsonLine(value));

  return {
    get hasToolCalls() {
      return answer.calls.size > 0;
    },
    push(event) {
      switch (event.type) {
        case 'text-delta': {
          const thinking = answer.takeThinking();
          if (thinking !== undefined) line({ text: '', nodes: [thinking] });
          answer.text += event.delta;
          return write(`{"text":${JSON.stringify(event.delta)}}\n`);
        }
        case 'reasoning-start':
          return answer.startThinking(event.id);
        case 'reasoning-delta':
          answer.openThinking.get(event.id)!.text += event.delta;
          return;
        case 'reasoning-end':
          return answer.endThinking(event.id, event.providerMetadata);
        case 'tool-input-start':
          answer.calls.set(event.id, {
            toolCallId: event.id,
            toolName: event.toolName,
            input: '',
            ...optional('providerOptions', event.providerMetadata),
          });
          return;
        case 'tool-input-delta':
          answer.calls.get(event.id)!.input += event.delta;
          return;
        case 'finish': {
          const nodes = answer.takeMemory();
          if (event.usage !== undefined) nodes.push(tokenUsageNode(answer.nextId(), event.usage));
          if (nodes.length > 0) line({ text: '', nodes });
          const tools = [...answer.calls.values()].map((call) => toolUseNode(answer.nextId(), call));
          if (tools.length > 0) return line({ text: '', nodes: tools, stop_reason: 3 });
          return line({ text: '', stop_reason: stopNumber(event.finishReason, event.rawFinishReason) });
        }
        case 'error':
          line({ text: errorText(event.error.message) });
          return line({ text: '', stop_reason: 1 });
        default: // Starts and ends of text and tool input have no line of their own.
      }
    },
  };
}

class OpenAnswer {
  text = '';
  readonly openThinking = new Map<string, ThinkingBlock>();
  #thinking: ThinkingBlock[] = [];
  readonly calls = new Map<string, AugmentToolCall>();
  #id = 0;

  nextId(): number {
    return ++this.#id;
  }

  startThinking(id: string): void {
    const block: ThinkingBlock = { text: '' };
    this.openThinking.set(id, block);
    this.#thinking.push(block);
  }

  endThinking(id: string, providerMetadata: ProviderMetadata | undefined): void {
    if (providerMetadata !== undefined) this.openThinking.get(id)!.providerMetadata = providerMetadata;
    this.openThinking.delete(id);
  }

  /** Reasoning that has come to its end, as one node. */
  takeThinking(): SentNode | undefined {
    if (this.#thinking.length === 0 || this.openThinking.size > 0) return undefined;
    const blocks = this.#thinking;
    this.#thinking = [];
    return thinkingNode(this.nextId(), blocks);
  }

  takeMemory(): SentNode[] {
    const thinking = this.takeThinking();
    return [
      ...(thinking === undefined ? [] : [thinking]),
      ...(this.text === '' ? [] : [textNode(this.nextId(), this.text)]),
    ];
  }
}
