import type {
  AgentBackend,
  AgentMessage,
  Approval,
  BackendEvent,
  BackendSession,
  ContentBlock,
  PromptBlock,
  TurnEnd,
} from '@dragoman/protocol';
import { type HeardEvents, hearEvents } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';

/** A backend with everything that it told. */
export interface TestedBackend<Backend extends AgentBackend> extends Omit<HeardEvents, 'emit'> {
  backend: Backend;
  session: BackendSession;
  /** A turn with a text, or with whole blocks. */
  prompt(content: string | readonly PromptBlock[]): Promise<TurnEnd>;
  /** Waits for the next question. */
  asked(): Promise<Approval>;
  /** The messages that the blocks add up to, from an event on. */
  messages(from?: number): AgentMessage[];
  /** Their blocks of one type. */
  blocks<Type extends ContentBlock['type']>(type: Type): Extract<ContentBlock, { type: Type }>[];
}

/** Watches a backend; it is ended with the test. */
export function testBackend<Backend extends AgentBackend>(backend: Backend, cwd: string): TestedBackend<Backend> {
  const { events, emit, until } = hearEvents();
  const answered = new Set<string>();
  onTestFinished(() => backend.dispose());
  const messages = (from = 0) => foldMessages(events.slice(from));
  return {
    backend,
    events,
    session: { sessionId: 'ses_test', cwd, emit },
    until,
    messages,
    prompt: (content) =>
      backend.prompt({ id: 'pmt', content: typeof content === 'string' ? [{ type: 'text', text: content }] : content }),
    async asked() {
      const { approval } = await until('approval-asked', (event) => !answered.has(event.approval.id));
      answered.add(approval.id);
      return approval;
    },
    blocks: (type) =>
      messages()
        .flatMap(({ content }) => content)
        .filter((block) => block.type === type) as never,
  };
}

/** What blocks add up to: each where it was opened first, in its last form. Every one must be closed. */
export function foldMessages(events: readonly BackendEvent[]): AgentMessage[] {
  const messages = new Map<string, AgentMessage>();
  const places = new Map<string, { message: AgentMessage; at: number }>();
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'block-delta' && !open.has(event.blockId))
      throw new Error(`a delta for ${event.blockId}, which is not open`);
    if (event.type !== 'block-start' && event.type !== 'block-stop') continue;
    const { messageId, role, blockId, block } = event;
    let message = messages.get(messageId);
    if (message === undefined) messages.set(messageId, (message = { role, content: [] }));
    if (event.type === 'block-start' && places.has(blockId)) throw new Error(`${blockId} was opened twice`);
    const place = places.get(blockId) ?? { message, at: message.content.length };
    places.set(blockId, place);
    place.message.content[place.at] = block;
    if (event.type === 'block-start') open.add(blockId);
    else open.delete(blockId);
  }
  if (open.size > 0) throw new Error(`left open: ${[...open].join(', ')}`);
  return [...messages.values()];
}
