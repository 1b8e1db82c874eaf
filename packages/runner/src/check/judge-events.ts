import type { AgentMessage, BackendEvent, ContentBlock, ContentBlockType } from '@dragoman/protocol';
import { agentMessageSchema, backendEventSchema } from '@dragoman/protocol/schemas';
import { ENDED_BY_CANCEL, UNREADABLE_LINE } from '../backends/uap/uap-backend.ts';
import type { Findings } from './check-report.ts';

type OpenEvent = Extract<BackendEvent, { type: 'block-start' | 'block-stop' }>;

/** What is known of a block. */
interface KnownBlock {
  messageId: string;
  role: AgentMessage['role'];
  block: ContentBlock;
  isOpen: boolean;
  deltas: number;
}

const ROLES: Record<ContentBlockType, readonly AgentMessage['role'][]> = {
  text: ['assistant', 'agent'],
  thinking: ['assistant'],
  tool_use: ['assistant'],
  tool_result: ['user'],
  image: ['assistant', 'agent', 'user'],
  file: ['assistant', 'agent', 'user'],
  plan: ['agent'],
  usage: ['agent'],
  approval: ['agent'],
  error: ['agent'],
  notice: ['agent'],
};

/** A text of so many characters takes a model a while. */
const LONG_TEXT = 400;

/** Judges every event as it comes, and the account of blocks and calls at the end of each turn. */
export class EventJudge {
  readonly #findings: Findings;
  readonly #blocks = new Map<string, KnownBlock>();
  readonly #messages = new Map<string, AgentMessage['role']>();
  /** Calls by their id: the block they are told in, and whether they have a result. */
  readonly #calls = new Map<string, { blockId: string; hasResult: boolean }>();
  readonly #approvals = new Set<string>();
  readonly #waiting = new Set<string>();
  /** The blocks of the turn that runs. */
  #turnBlocks = new Set<string>();
  events = 0;
  agentSessionId: string | undefined;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Whether anything was said in this turn yet. */
  get hasSpoken(): boolean {
    return this.#turnBlocks.size > 0;
  }

  push(given: unknown): void {
    this.events++;
    const read = backendEventSchema.safeParse(given);
    this.#findings.judge('valid-events', read.success, () => {
      const issue = read.error!.issues[0]!;
      return `${shown(given)}: ${issue.path.join('.')} ${issue.message}`;
    });
    if (!read.success) return;
    const event = read.data;
    switch (event.type) {
      case 'block-start':
      case 'block-stop':
        this.#take(event);
        return;
      case 'block-delta':
        this.#add(event.blockId, event.delta);
        return;
      case 'approval-asked':
        this.#ask(event.approval);
        return;
      case 'approval-withdrawn':
        this.#waiting.delete(event.approvalId);
        return;
      case 'agent-updated':
        this.agentSessionId = event.agentSessionId ?? this.agentSessionId;
    }
  }

  answered(approvalId: string): void {
    this.#waiting.delete(approvalId);
  }

  beginTurn(): void {
    this.#turnBlocks = new Set();
  }

  /** Nothing may be left over when a turn ends. Gives back what was said in it. */
  endTurn(name: string): AgentMessage[] {
    this.#findings.judge('readable-lines', true, '');
    for (const blockId of this.#turnBlocks) {
      const known = this.#blocks.get(blockId)!;
      this.#findings.judge('blocks-closed', !known.isOpen, `${name}: the ${known.block.type} block ${blockId} is open`);
    }
    for (const [id, call] of this.#calls)
      if (this.#turnBlocks.has(call.blockId))
        this.#findings.judge('calls-answered', call.hasResult, `${name}: the call ${id} has no result`);
    for (const id of this.#waiting)
      this.#findings.judge('approvals-once', false, `${name}: the approval ${id} still waits after the turn`);
    this.#waiting.clear();
    const messages = this.#turnMessages();
    for (const message of messages) {
      const read = agentMessageSchema.safeParse(message);
      this.#findings.judge('messages-valid', read.success, () => `${name}: ${read.error!.issues[0]!.message}`);
      for (const block of message.content)
        this.#findings.judge(
          'messages-valid',
          hasBytes(block),
          `${name}: block of type ${block.type} has neither data nor url`,
        );
    }
    return messages;
  }

  #take(event: OpenEvent): void {
    const { blockId, messageId, role, block } = event;
    const known = this.#blocks.get(blockId);
    const isStart = event.type === 'block-start';
    // A block that is closed may be said again as a whole; an open one is judged by what it stops as.
    const isSame = !isStart && known?.messageId === messageId && (known.isOpen || known.block.type === block.type);
    if (known?.isOpen === true && !isStart) this.#judgeStop(blockId, known, block);
    this.#findings.judge(
      'unique-ids',
      known === undefined || isSame,
      `the block id ${blockId} is used again for another ${block.type}`,
    );
    const messageRole = this.#messages.get(messageId) ?? role;
    this.#messages.set(messageId, messageRole);
    this.#findings.judge(
      'roles-right',
      ROLES[block.type].includes(role),
      `a ${block.type} block in a message of role ${role}`,
    );
    this.#findings.judge(
      'roles-right',
      messageRole === role,
      `the message ${messageId} is of role ${messageRole} and ${role}`,
    );
    this.#judgeLine(block);
    this.#blocks.set(blockId, { messageId, role, block, isOpen: isStart, deltas: known?.deltas ?? 0 });
    this.#turnBlocks.add(blockId);
    this.#account(blockId, block, !isStart);
  }

  #judgeStop(blockId: string, known: KnownBlock, block: ContentBlock): void {
    const [told, whole] = [proseOf(known.block), proseOf(block)];
    const isSame = known.block.type === block.type && (told === undefined || told === whole);
    this.#findings.judge(
      'stop-equals-pieces',
      isSame,
      `block ${blockId} was streamed as ${known.block.type} ${shown(told ?? '')} and stopped as ${block.type} ${shown(whole ?? '')}`,
    );
    if (block.type === 'text' && block.text.length >= LONG_TEXT)
      this.#findings.judge(
        'streams-live',
        known.deltas > 1,
        `block ${blockId} has ${block.text.length} characters and came in ${known.deltas} piece(s)`,
      );
  }

  /** Calls and their results. */
  #account(blockId: string, block: ContentBlock, isWhole: boolean): void {
    if (block.type === 'tool_use') {
      const call = this.#calls.get(block.id);
      this.#findings.judge(
        'unique-ids',
        (call?.blockId ?? blockId) === blockId,
        `the call id ${block.id} is used by two calls`,
      );
      if (call === undefined) this.#calls.set(block.id, { blockId, hasResult: false });
    }
    if (block.type !== 'tool_result') return;
    const call = this.#calls.get(block.tool_use_id);
    this.#findings.judge(
      'results-after-calls',
      call !== undefined,
      `the result in block ${blockId} is of ${block.tool_use_id}, which was not called before`,
    );
    if (call !== undefined && isWhole) call.hasResult = true;
  }

  #judgeLine(block: ContentBlock): void {
    if (block.type !== 'notice') return;
    this.#findings.judge('readable-lines', !block.text.startsWith(UNREADABLE_LINE), block.text);
    if (block.text === ENDED_BY_CANCEL) this.#findings.judge('cancel-ends-turn', false, block.text);
  }

  #add(blockId: string, delta: string): void {
    const known = this.#blocks.get(blockId);
    this.#findings.judge(
      'deltas-to-open-blocks',
      known?.isOpen === true,
      `a delta for block ${blockId}, which ${known === undefined ? 'was never opened' : 'is closed'}`,
    );
    if (known?.isOpen !== true) return;
    known.deltas++;
    const { block } = known;
    if (block.type === 'text') known.block = { ...block, text: block.text + delta };
    if (block.type === 'thinking') known.block = { ...block, thinking: block.thinking + delta };
  }

  #ask(approval: Extract<BackendEvent, { type: 'approval-asked' }>['approval']): void {
    const { id, options, toolUseId } = approval;
    this.#findings.judge('unique-ids', !this.#approvals.has(id), `the approval id ${id} is used again`);
    this.#approvals.add(id);
    this.#waiting.add(id);
    const canAllow = options.some(({ kind }) => kind !== 'reject_once' && kind !== 'reject_always');
    this.#findings.judge('approvals-answerable', canAllow, `the approval ${id} has no option that allows`);
    this.#findings.judge(
      'approvals-answerable',
      toolUseId === undefined || this.#calls.has(toolUseId),
      `the approval ${id} is for the call ${toolUseId}, which is not known`,
    );
  }

  #turnMessages(): AgentMessage[] {
    const messages = new Map<string, AgentMessage>();
    for (const blockId of this.#turnBlocks) {
      const { messageId, role, block } = this.#blocks.get(blockId)!;
      const message = messages.get(messageId) ?? { role, content: [] };
      message.content.push(block);
      messages.set(messageId, message);
    }
    return [...messages.values()];
  }
}

function hasBytes(block: ContentBlock): boolean {
  if (block.type === 'image') return block.data !== undefined || block.url !== undefined;
  return block.type !== 'file' || block.data !== undefined || block.url !== undefined || block.uri !== undefined;
}

function proseOf(block: ContentBlock): string | undefined {
  return block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : undefined;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
