import { join } from 'node:path';
import {
  type AgentBackend,
  type BackendEvent,
  type BackendSession,
  type ContentBlock,
  DragomanError,
  type ModelCall,
  type ModelEvent,
} from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { chatBackend, type ChatBackendOptions, type ChatModel } from './chat-backend.ts';

/** What a scripted model says to a call, one piece after the other; a promise holds it there. */
export type ScriptedSpeech = (ModelEvent | Promise<unknown>)[];

/** A model that says what the test gives it, one speech per call; the last one answers all that follow. */
export function scriptedModel(
  speeches: ScriptedSpeech[],
  facts: Omit<ChatModel, 'model'> = {},
): ChatModel & { calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  return {
    ...facts,
    calls,
    model: {
      async stream(call, sink, signal) {
        calls.push(structuredClone(call));
        for (const piece of speeches[Math.min(calls.length, speeches.length) - 1]!) {
          if (signal.aborted) {
            sink.push({ type: 'error', error: new DragomanError('cancelled', 'The call was cancelled.') });
            return;
          }
          if (piece instanceof Promise) await piece;
          else sink.push(piece);
        }
      },
    },
  };
}

const usage = { inputTokens: 100, outputTokens: 10 };

/** An answer in words, one piece each. */
export function says(...pieces: string[]): ModelEvent[] {
  return [
    { type: 'text-start', id: 't' },
    ...pieces.map((delta): ModelEvent => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop', usage },
  ];
}

/** An answer that does not come. */
export function fails(error: DragomanError): ModelEvent[] {
  return [{ type: 'error', error }];
}

/** A session of a chat agent, and everything it told. */
export interface ChatTalk {
  backend: AgentBackend;
  session: BackendSession;
  events: BackendEvent[];
  /** The whole blocks so far, in order. */
  blocks(): ContentBlock[];
  say(text: string): ReturnType<AgentBackend['prompt']>;
}

/** A chat agent for one session; sessions of one folder share their conversations. */
export function openChat(
  options: Pick<ChatBackendOptions, 'openModel'> & Partial<ChatBackendOptions>,
  given: Partial<BackendSession> & { sessionId?: string } = {},
): ChatTalk & { folder: string } {
  const folder = options.folder ?? join(tempFolder(), 'chat');
  const events: BackendEvent[] = [];
  const backend = chatBackend({ name: 'chat', ...options, folder });
  const session = { sessionId: 'ses_1', cwd: folder, ...given, emit: (event: BackendEvent) => void events.push(event) };
  let prompts = 0;
  return {
    folder,
    backend,
    session,
    events,
    blocks: () => events.flatMap((event) => (event.type === 'block-stop' ? [event.block] : [])),
    say: (text) => {
      prompts += 1;
      return backend.prompt({ id: `${session.sessionId}-prompt-${prompts}`, content: [{ type: 'text', text }] });
    },
  };
}
