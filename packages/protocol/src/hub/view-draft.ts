import { addToBlock } from '../uap/add-to-block.ts';
import type { Approval } from '../uap/approval.ts';
import type { TurnEnd } from '../uap/backend-event.ts';
import { addUsage, totalUsage } from './add-usage.ts';
import { approvalBlock } from './approval-block.ts';
import { blocksOfType } from './blocks-of-type.ts';
import { ChangedCalls } from './changed-calls.ts';
import { describeReply } from './describe-reply.ts';
import type { HubEventOf, HubPrompt, LoggedHubEvent } from './hub-event.ts';
import { type DraftPlace, MessageDraft } from './message-draft.ts';
import type { SessionView, ShownApproval, ShownBlock, ShownTurn } from './session-view.ts';
import { callIdOf, callsIn, shownTools } from './shown-tools.ts';
import { TakenOutDraft } from './taken-out.ts';

/** From so many on, and from such a part of all messages, it is less work to look at everything than to look each up. */
const MANY_CALLS = { count: 64, share: 0.1 };

type WholeBlock = HubEventOf<'block-start' | 'block-stop'>;
type Decision = NonNullable<ShownApproval['decided']>;

/**
 * A view while events are added to it; `finish` gives it out, and ends the draft.
 *
 * How things stand depends on what is there and on where it was opened, never on the order in which it was told: the log
 * tells a block when it ends, others hear of it when it begins, and both must see the same. So tools, plan and usage are
 * read off the blocks at the end.
 */
export class ViewDraft {
  readonly #view: SessionView;
  readonly #messages: MessageDraft;
  /** What must be read off all blocks again. */
  readonly #stale = new Set<'tools' | 'plan' | 'usage' | 'open'>();
  readonly #calls = new ChangedCalls();
  readonly #takenOut: TakenOutDraft;

  constructor(view: SessionView) {
    this.#view = { ...view };
    this.#messages = new MessageDraft(view.messages);
    this.#takenOut = new TakenOutDraft(view.takenOut);
  }

  /** As far as it is; `finish` completes it. */
  get view(): SessionView {
    return this.#view;
  }

  set(fields: Partial<SessionView>): void {
    Object.assign(this.#view, fields);
  }

  /** The view with everything that was added. */
  finish(): SessionView {
    const { closedSeq } = this.#view;
    if (this.#stale.has('open')) this.#messages.changeAll((shown) => (shown.since < closedSeq ? cut(shown) : shown));
    const messages = this.#messages.finish();
    const takenOut = this.#takenOut.finish();
    this.set({ messages, takenOut });
    if (this.#stale.has('plan')) this.set({ plan: blocksOfType(messages, 'plan').at(-1) });
    if (this.#stale.has('usage')) this.set({ usage: totalUsage(messages, takenOut) });
    const isMany = this.#calls.size > Math.max(MANY_CALLS.count, messages.length * MANY_CALLS.share);
    if (this.#stale.has('tools') || isMany) this.set({ tools: shownTools(callsIn(messages), this.#view, new Map()) });
    else if (this.#calls.size > 0)
      this.set({
        tools: shownTools(this.#calls.read(this.#messages, this.#view.tools), this.#view, new Map(this.#view.tools)),
      });
    return this.#view;
  }

  openBlock(event: HubEventOf<'block-start'>, logged: LoggedHubEvent): void {
    const place = this.#messages.find(event.blockId);
    // What has ended is only changed by another end.
    if (place !== undefined && this.#messages.at(place).endedAt !== undefined) return;
    const { inputText } = event;
    this.#write(event, logged, place, inputText === undefined ? { isOpen: true } : { isOpen: true, inputText });
  }

  closeBlock(event: HubEventOf<'block-stop'>, logged: LoggedHubEvent): void {
    this.#write(event, logged, this.#messages.find(event.blockId), { isOpen: false, endedAt: logged.at });
  }

  addToBlock({ blockId, delta }: HubEventOf<'block-delta'>): void {
    const place = this.#messages.find(blockId);
    const shown = place && this.#messages.at(place);
    if (shown === undefined || shown.endedAt !== undefined) return;
    if (shown.block.type !== 'tool_use')
      this.#messages.replace(place!, { ...shown, block: addToBlock(shown.block, delta) });
    else if (shown.since > this.#view.closedSeq)
      this.#messages.replace(place!, { ...shown, inputText: (shown.inputText ?? '') + delta });
  }

  /** The session goes on at another place or with another agent, and everyone is told where in the conversation that was. */
  move({ from, runnerId, machine, agent, folder }: HubEventOf<'session-moved'>, { seq, at }: LoggedHubEvent): void {
    const { info } = this.#view;
    const isOtherMachine = from.runnerId !== runnerId;
    const isOtherAgent = agent !== info.agent;
    this.set({ info: { ...info, runnerId, agent, folder }, cwd: folder, branch: undefined });
    if (isOtherAgent) this.set({ model: undefined, mode: undefined, models: [], modes: [], commands: [] });
    const withAgent = isOtherAgent ? ` with ${agent}` : '';
    const inFolder = isOtherMachine || folder !== info.folder ? ` in ${folder}` : '';
    const left = from.worktree === undefined ? '' : ` Its worktree stays on ${from.machine}, in ${from.worktree}.`;
    const text = isOtherMachine
      ? `Moved from ${from.machine} to ${machine}, where it works${withAgent}${inFolder}.${left}`
      : `Now works${withAgent}${inFolder}.`;
    const id = `moved-${seq}`;
    this.#messages.insert(
      { id, role: 'agent', ...(isOtherAgent && { agentBefore: info.agent }) },
      { id, block: { type: 'notice', level: 'info', text }, isOpen: false, since: seq, startedAt: at, endedAt: at },
    );
  }

  queuePrompt(prompt: HubPrompt): void {
    const { queue } = this.#view;
    if (hasId(prompt) && !queue.some(({ id }) => id === prompt.id)) this.set({ queue: [...queue, prompt] });
  }

  /** Takes a prompt out of the queue, if it is in it. */
  takePrompt(promptId: string): HubPrompt | undefined {
    const { queue } = this.#view;
    const prompt = queue.find(({ id }) => id === promptId);
    if (prompt !== undefined) this.set({ queue: queue.filter((other) => other !== prompt) });
    return prompt;
  }

  /** A prompt that the agent took up is a message from then on. */
  showPrompt(promptId: string, turnId: string, { seq, at }: LoggedHubEvent): void {
    const prompt = this.takePrompt(promptId);
    if (prompt === undefined || !Array.isArray(prompt.content)) return;
    for (const [index, block] of prompt.content.entries())
      this.#messages.insert(
        { id: prompt.id, role: 'user', by: prompt.by, turnId },
        { id: `${prompt.id}.${index}`, block, isOpen: false, since: seq, startedAt: at, endedAt: at },
      );
  }

  startTurn(id: string, { seq, at }: LoggedHubEvent): void {
    const turn: ShownTurn = { id, startedAt: at, since: seq };
    this.set({ turn, turns: [...this.#view.turns, turn] });
  }

  /** Ends a turn, and what was open with it, unless another one runs by now. */
  finishTurn(turnId: string, end: TurnEnd, logged: LoggedHubEvent, endedAt = logged.at): void {
    const { turn, turns } = this.#view;
    if (turn === undefined || turn.id === turnId || turn.finishedAt !== undefined) this.#close(logged);
    const index = turns.findLastIndex(({ id }) => id === turnId);
    if (index !== -1) this.#setTurn(index, end, { seq: logged.seq, at: Math.max(turns[index]!.startedAt, endedAt) });
  }

  /** The agent is gone, and so is all that it was doing. */
  endWork(end: TurnEnd, logged: LoggedHubEvent): void {
    this.#close(logged);
    const { turn, turns } = this.#view;
    if (turn !== undefined && turn.finishedAt === undefined) this.#setTurn(turns.length - 1, end, logged);
  }

  /** A question is shown among the messages, too, where it was asked. */
  askApproval(approval: Approval, { seq, at }: LoggedHubEvent): void {
    if (!hasId(approval) || this.#view.approvals.some(({ id }) => id === approval.id)) return;
    this.set({ approvals: [...this.#view.approvals, { ...approval, askedAt: at }] });
    if (approval.toolUseId !== undefined) this.#calls.note(approval.toolUseId);
    if (this.#messages.find(approval.id) !== undefined) return;
    this.#messages.insert(
      { id: approval.id, role: 'agent', ...this.#turnAt(seq) },
      { id: approval.id, block: approvalBlock(approval), isOpen: true, since: seq, startedAt: at },
    );
  }

  /** The first decision counts. */
  decideApproval(approvalId: string, decided: Decision): void {
    const { approvals } = this.#view;
    const index = approvals.findLastIndex(({ id }) => id === approvalId);
    const approval = approvals[index];
    if (approval === undefined || approval.decided !== undefined || !isThere(decided.reply) || !isThere(decided.by))
      return;
    this.set({ approvals: approvals.with(index, { ...approval, decided }) });
    if (approval.toolUseId !== undefined) this.#calls.note(approval.toolUseId);
    const place = this.#messages.find(approvalId);
    const shown = place && this.#messages.at(place);
    if (shown?.block.type !== 'approval') return;
    const decision = describeReply(shown.block.options, decided.reply, decided.by);
    this.#messages.replace(place!, {
      ...shown,
      block: { ...shown.block, decision },
      isOpen: false,
      endedAt: decided.at,
    });
  }

  /** A prompt goes, and with it everything that was opened since it was taken up. */
  takeOut(promptId: string, { seq }: LoggedHubEvent): void {
    const since = this.#messages.openedAt(`${promptId}.0`);
    if (since === undefined) return;
    const blocks = this.#messages.takeFrom(since);
    this.#takenOut.add(blocks, { since, until: seq });
    const taken = new Set(blocks.map(({ id }) => id));
    const turns = this.#view.turns.filter((turn) => turn.since < since);
    this.set({ turns, turn: turns.at(-1), approvals: this.#view.approvals.filter(({ id }) => !taken.has(id)) });
    this.#stale.add('tools').add('plan').add('usage');
  }

  #setTurn(index: number, end: TurnEnd, { seq, at }: Pick<LoggedHubEvent, 'seq' | 'at'>): void {
    const { turns } = this.#view;
    const { id, startedAt, since, until = seq } = turns[index]!;
    const turn: ShownTurn = { id, startedAt, since, finishedAt: at, until, ...end };
    this.set({ turns: turns.with(index, turn), ...(index === turns.length - 1 && { turn }) });
  }

  #close({ seq, at }: LoggedHubEvent): void {
    this.set({ closedSeq: seq });
    this.#stale.add('open');
    // Whatever had ended by now stays as it is.
    for (const [id, { status }] of this.#view.tools)
      if (status === 'Running' || status === 'Waiting') this.#calls.note(id);
    for (const { id, decided } of this.#view.approvals)
      if (decided === undefined) this.decideApproval(id, { reply: { type: 'cancelled' }, by: { type: 'agent' }, at });
  }

  /** The block as it is now, where it was opened. */
  #write(
    event: WholeBlock,
    { seq, at }: LoggedHubEvent,
    place: DraftPlace | undefined,
    state: Pick<ShownBlock, 'isOpen' | 'endedAt' | 'inputText'>,
  ): void {
    const { blockId, block, messageId, role } = event;
    if (!isThere(block) || typeof blockId !== 'string' || typeof messageId !== 'string') return;
    const told = event.since ?? { seq, at };
    if (place === undefined && this.#takenOut.hear(event, told.seq)) return void this.#stale.add('usage');
    const before = place && this.#messages.at(place);
    const isKnown = before !== undefined && before.since <= told.seq;
    const since = isKnown ? before.since : told.seq;
    const shown: ShownBlock = { id: blockId, block, since, startedAt: isKnown ? before.startedAt : told.at, ...state };
    const written = since < this.#view.closedSeq ? cut(shown) : shown;
    if (isKnown) this.#messages.replace(place!, written);
    else {
      if (place !== undefined) this.#messages.remove(place);
      this.#messages.insert({ id: messageId, role, ...this.#turnAt(since) }, written);
    }
    this.#note(before, written);
  }

  /** Notes what a block that changed means for the rest of the view. */
  #note(before: ShownBlock | undefined, shown: ShownBlock): void {
    const { block } = shown;
    const [callBefore, call] = [before && callIdOf(before), callIdOf(shown)];
    if (call !== undefined) this.#calls.note(call, shown.id);
    if (callBefore !== undefined && (callBefore !== call || before?.block.type !== block.type))
      this.#stale.add('tools');
    // Behind everything that was heard of: it is the newest of its kind.
    const isNewest = before === undefined && shown.since > this.#view.seq;
    if (block.type === 'plan' && isNewest) this.set({ plan: block });
    else if (block.type === 'plan' || before?.block.type === 'plan') this.#stale.add('plan');
    if (block.type === 'usage' && isNewest) this.set({ usage: addUsage(this.#view.usage, block) });
    else if (block.type === 'usage' || before?.block.type === 'usage') this.#stale.add('usage');
  }

  /** The turn in which something was opened. */
  #turnAt(since: number): { turnId?: string } {
    const turn = this.#view.turns.findLast((candidate) => candidate.since <= since);
    return turn === undefined || (turn.until !== undefined && turn.until < since) ? {} : { turnId: turn.id };
  }
}

/** As it is when its turn is over: what was not said by then is not coming. */
function cut(shown: ShownBlock): ShownBlock {
  if (!shown.isOpen) return shown;
  const { inputText: _, ...rest } = shown;
  return { ...rest, isOpen: false };
}

function hasId(value: { id: string } | null | undefined): boolean {
  return typeof value?.id === 'string';
}

/** What is in a log may come from another program. */
function isThere(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
