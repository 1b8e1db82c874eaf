import type { Approval, ApprovalReply, ContentBlock } from '@dragoman/protocol';
import { type UapFixture, uapFixtures } from '@dragoman/testkit';

/** What an agent does in a golden session, in words that every program can be scripted with. */
export type GoldenMove =
  | { type: 'text' | 'thinking'; text: string }
  | { type: 'use'; id: string; name: string; input: Record<string, unknown>; parent: string | undefined }
  | { type: 'result'; id: string; content: string; isError: boolean }
  | { type: 'plan'; entries: Extract<ContentBlock, { type: 'plan' }>['entries'] }
  | { type: 'ask'; approval: Approval; reply: ApprovalReply | undefined };

/** A golden session as the moves of its agent, and the blocks of the protocol that must come of them. */
export interface GoldenSession {
  name: string;
  moves: GoldenMove[];
  expected: { role: string; block: object }[];
}

/** The golden sessions, except those that are about what no agent program does. */
export function goldenSessions(except: readonly string[]): GoldenSession[] {
  return uapFixtures()
    .filter(({ name }) => !except.includes(name))
    .map((fixture) => ({
      name: fixture.name,
      moves: flatten(fixture).flatMap(({ role, block }) => toMove(fixture, role, block)),
      expected: protocolBlocks(flatten(fixture)),
    }));
}

/** The blocks of the protocol proper, without what an agent may add to them; what a person said is not among them. */
export function protocolBlocks(
  blocks: readonly { role: string; block: ContentBlock }[],
): { role: string; block: object }[] {
  return blocks.flatMap(({ role, block }) => {
    const core = coreOf(block);
    return core === undefined || (role === 'user' && block.type !== 'tool_result') ? [] : [{ role, block: core }];
  });
}

function coreOf(block: ContentBlock): object | undefined {
  switch (block.type) {
    case 'text':
      return block.text === '' ? undefined : block;
    case 'thinking':
      return block;
    case 'tool_use': {
      const { id, name, input, parent_tool_use_id } = block;
      return { type: 'tool_use', id, name, input, ...(parent_tool_use_id && { parent_tool_use_id }) };
    }
    case 'tool_result': {
      const { tool_use_id, content, is_error } = block;
      return { type: 'tool_result', tool_use_id, content, ...(is_error === true && { is_error }) };
    }
    case 'plan':
      return { type: 'plan', entries: block.entries.map(({ content, status }) => ({ content, status })) };
    default:
      return undefined;
  }
}

function flatten({ messages }: UapFixture): { role: string; block: ContentBlock }[] {
  return messages.flatMap(({ role, content }) => content.map((block) => ({ role, block })));
}

function toMove({ events }: UapFixture, role: string, block: ContentBlock): GoldenMove[] {
  switch (block.type) {
    case 'text':
      return role === 'user' || block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
      return [{ type: 'thinking', text: block.thinking }];
    case 'tool_use':
      return [{ type: 'use', id: block.id, name: block.name, input: block.input, parent: block.parent_tool_use_id }];
    case 'tool_result':
      return [{ type: 'result', id: block.tool_use_id, content: block.content, isError: block.is_error === true }];
    case 'plan':
      return [{ type: 'plan', entries: block.entries }];
    case 'approval': {
      const told = events.map(({ event }) => event);
      const asked = told.find((event) => event.type === 'approval-asked' && event.approval.id === block.id);
      const decided = told.find((event) => event.type === 'approval-decided' && event.approvalId === block.id);
      const reply = decided?.type === 'approval-decided' ? decided.reply : undefined;
      return asked?.type === 'approval-asked' ? [{ type: 'ask', approval: asked.approval, reply }] : [];
    }
    default:
      return [];
  }
}

/** The reply of a golden session, in the options that an agent offers for the same question. */
export function goldenReply(
  { approval, reply }: Extract<GoldenMove, { type: 'ask' }>,
  asked: Approval,
): ApprovalReply | undefined {
  if (reply?.type !== 'selected') return reply;
  const meant = approval.options.find(({ id }) => id === reply.optionId);
  const option = asked.options.find(
    ({ kind, name }) => kind === meant?.kind && (kind !== 'answer' || name === meant.name),
  );
  return { ...reply, optionId: option?.id ?? '' };
}
