import {
  type ContentBlock,
  type Fault,
  type HubEvent,
  type HubEventOf,
  type LoggedHubEvent,
  plainMarkdown,
  type PromptBlock,
  type TurnEnd,
} from '@dragoman/protocol';
import { isNews } from './is-news.ts';
import type { SessionRow } from './session-change.ts';

/** So much of what was said last is shown in a list. */
const LAST_TEXT_CHARS = 200;
const MICROS_PER_DOLLAR = 1_000_000;
const MAX_COUNT = 1_000_000_000_000;

/**
 * The row of a session with one more event in it: what lists show without reading the log.
 *
 * The row is changed in place, because a batch brings many events. `replaced` is the block that a `block-stop` takes the
 * place of, so that what was used is not counted twice. Counts of prompts and approvals are those that the events tell
 * of; who keeps the prompts themselves may correct them.
 */
export function noteEvent(row: SessionRow, { seq, at, event }: LoggedHubEvent, replaced?: ContentBlock): void {
  row.seq = Math.max(row.seq, seq);
  if (isNews(row, event)) {
    row.news_seq = Math.max(row.news_seq, seq);
    row.updated_at = Math.max(row.updated_at, at);
  }
  if (event.type === 'block-start' || event.type === 'block-delta') return;
  const note = NOTES[event.type] as ((row: SessionRow, event: HubEvent, replaced?: ContentBlock) => void) | undefined;
  note?.(row, event, replaced);
}

type Notes = {
  [Type in HubEvent['type']]?: (row: SessionRow, event: HubEventOf<Type>, replaced?: ContentBlock) => void;
};

const NOTES: Notes = {
  'block-stop'(row, event, replaced) {
    const { block } = event;
    row.last_text = saidLast(event) ?? row.last_text;
    if (block.type === 'plan') notePlan(row, block.entries);
    addUsage(row, replaced, -1);
    addUsage(row, block, 1);
  },
  'session-updated'(row, { title, pinned, archived }) {
    if (title !== undefined) [row.title, row.is_named] = [title, 1];
    if (pinned !== undefined) row.pinned = Number(pinned);
    if (archived !== undefined) row.archived = Number(archived);
  },
  'prompt-queued'(row, event) {
    row.queued += 1;
    row.last_text = saidLast(event) ?? row.last_text;
  },
  'prompt-withdrawn': takeFromQueue,
  'prompt-taken': takeFromQueue,
  'approval-asked'(row) {
    row.waiting += 1;
  },
  'approval-decided': takeFromWaiting,
  'approval-withdrawn': takeFromWaiting,
  'agent-updated'(row, { agentSessionId, title, model, mode, capabilities }) {
    if (agentSessionId !== undefined) row.agent_session_id = agentSessionId;
    if (title !== undefined && row.is_named === 0) row.title = title;
    if (model !== undefined) row.model = model;
    if (mode !== undefined) row.mode = mode;
    if (capabilities !== undefined) row.capabilities_json = JSON.stringify(capabilities);
  },
  'agent-state'(row, { state, error, cwd, branch }) {
    const wasFailed = row.agent_state === 'failed';
    row.agent_state = state;
    if (state === 'stopped' && row.turn_id !== null) noteFault(row, TURN_FAULTS.interrupted);
    // How the last turn ended stays true until the next one, whatever becomes of the agent.
    if (error !== undefined || state === 'failed' || wasFailed) noteFault(row, error);
    if (cwd !== undefined) row.cwd = cwd;
    if (branch !== undefined) row.branch = branch;
    if (state === 'failed' || state === 'stopped') [row.turn_id, row.waiting] = [null, 0];
  },
  'turn-started'(row, { turnId, promptId }) {
    row.turn_id = turnId;
    row.last_error_json = null;
    if (promptId !== undefined) takeFromQueue(row);
  },
  'turn-finished'(row, { turnId, reason, error }) {
    // The end of a turn that was thought to be over says nothing about the one that runs.
    if (row.turn_id !== null && row.turn_id !== turnId) return;
    [row.turn_id, row.waiting] = [null, 0];
    const fault = error ?? TURN_FAULTS[reason];
    if (fault !== undefined || row.agent_state !== 'failed') noteFault(row, fault);
  },
};

/** What lists tell of a turn that ended badly, where the agent did not say why. */
const TURN_FAULTS: Record<TurnEnd['reason'], Fault | undefined> = {
  done: undefined,
  cancelled: undefined,
  refused: { code: 'refused', message: 'The model refused to continue.' },
  limit: { code: 'limit', message: 'The agent reached its limit.' },
  failed: { code: 'failed', message: 'The turn failed, and the agent did not say why.' },
  interrupted: {
    code: 'interrupted',
    message: "Interrupted: the agent's process exited before the turn ended.",
    fix: 'Send a prompt to continue where it left off.',
  },
};

function noteFault(row: SessionRow, fault: Fault | undefined): void {
  row.last_error_json = fault === undefined ? null : JSON.stringify(fault);
}

/** What lists would show of an event, where it says something. */
export function saidLast(event: HubEvent): string | undefined {
  if (event.type === 'prompt-queued') return beginning(promptText(event.prompt.content)) || undefined;
  if (event.type !== 'block-stop' || event.block.type !== 'text' || event.role !== 'assistant') return undefined;
  return beginning(event.block.text) || undefined;
}

/** What was given up belongs to the plan no longer. */
function notePlan(row: SessionRow, entries: readonly { status: string }[]): void {
  const kept = entries.filter(({ status }) => status !== 'cancelled');
  row.plan_total = kept.length;
  row.plan_done = kept.filter(({ status }) => status === 'completed').length;
}

function takeFromQueue(row: SessionRow): void {
  row.queued = Math.max(0, row.queued - 1);
}

function takeFromWaiting(row: SessionRow): void {
  row.waiting = Math.max(0, row.waiting - 1);
}

function addUsage(row: SessionRow, block: ContentBlock | undefined, sign: 1 | -1): void {
  if (block?.type !== 'usage') return;
  row.input_tokens += sign * countable(block.input_tokens);
  row.output_tokens += sign * countable(block.output_tokens);
  row.cost_micros += sign * countable((block.cost_usd ?? 0) * MICROS_PER_DOLLAR);
}

/** Whole and believable: an agent may say anything, and a sum must stay a number. */
function countable(count = 0): number {
  return Math.min(Math.max(Math.round(count), 0), MAX_COUNT);
}

function promptText(content: readonly PromptBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
}

/** On one line, and never half of a character. */
function beginning(text: string): string {
  const line = plainMarkdown(text.slice(0, LAST_TEXT_CHARS * 4))
    .replace(/\s+/gu, ' ')
    .trim();
  return line
    .slice(0, LAST_TEXT_CHARS)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
}
