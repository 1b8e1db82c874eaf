import { resolve } from 'node:path';
import {
  type AgentEvent,
  type AgentEventOf,
  type AnyPart,
  type BackendEvent,
  type BlockEvent,
  type BlockPlace,
  type ContentBlockOf,
  type Message,
  OpenBlocks,
  type RetryPart,
  type SessionState,
  totalTokens,
  writeRetry,
} from '@dragoman/protocol';
import { modelName } from '../acp/session-options.ts';
import { CallBlocks, type CallOptions, type FinishedCall } from './call-blocks.ts';
import { turnEndBlock } from './turn-end.ts';
import { usageBlock } from './usage-block.ts';

/** Files that a step changed and no result of it shows. */
export interface UnseenChanges {
  /** The states of the files before and after, as snapshots know them. */
  before: string;
  after: string;
  /** From the root of the project. */
  files: readonly string[];
  /** The result of the call that may have done it. */
  result: Extract<BlockEvent, { type: 'block-stop' }> & { block: ContentBlockOf<'tool_result'> };
}

/**
 * What blocks depend on beside the events. With a `parentToolUseId` it is the session of a task, of which only the calls
 * are shown and what they took: what the subagent says is the result of the task.
 */
export interface BlockOptions extends CallOptions {
  /** How many tokens the session's model takes; 0 when that is not known. */
  contextTokens: (state: SessionState) => number;
  /** Shows what a step changed beside what its tools say; without it the files are named. */
  onUnseenChanges?: ((changes: UnseenChanges) => void) | undefined;
}

/** Takes the events of one session. `state` has the event in it. */
export interface BlockEncoder {
  push(event: AgentEvent, state: SessionState): void;
  /** Closes everything that is open: nobody works on it any more. */
  finish(): void;
}

/**
 * Events of a session in, blocks out. Blocks are known by the ids of their parts.
 *
 * A block is opened with its first piece, so that what stays empty is not shown. When an answer breaks off and is asked
 * for again, what it said is taken back (the same block, empty) and its half calls end with a result that says so.
 */
export function encodeBlocks(options: BlockOptions, emit: (event: BackendEvent) => void): BlockEncoder {
  const isNested = options.parentToolUseId !== undefined;
  const blocks = new OpenBlocks(emit);
  const calls = new CallBlocks(blocks, options);
  /** What this step said. */
  const said = new Map<string, BlockPlace & { kind: 'text' | 'thinking' }>();
  /** Results of this step whose calls may have changed files, and the files that results show. */
  let unseen: UnseenChanges['result'] | undefined;
  let seenFiles = new Set<string>();
  let snapshot: string | undefined;
  /** Notices of a summary that is being written, by the message that marks the place. */
  const summaries = new Map<string, BlockPlace>();

  const notice = (id: string, text: string, level: 'info' | 'warning' = 'info') =>
    void blocks.stop(agentPlace(id), { type: 'notice', text, level });

  const say = (
    kind: 'text' | 'thinking',
    { messageID, partID, delta }: AgentEventOf<'text-delta' | 'reasoning-delta'>,
  ) => {
    if (!blocks.isOpen(partID)) {
      const place: BlockPlace = { messageId: messageID, role: 'assistant', blockId: partID };
      said.set(partID, { ...place, kind });
      blocks.start(place, emptyBlock(kind));
    }
    blocks.delta(partID, delta);
  };

  const finishedCall = ({ event, kind, diffs }: FinishedCall, { info }: SessionState) => {
    for (const { path } of diffs) seenFiles.add(resolve(info.cwd, path));
    if (diffs.length === 0 && (kind === 'execute' || kind === 'task' || kind === 'other')) unseen = event;
  };

  const addedPart = (part: AnyPart, { info }: SessionState) => {
    if (part.type === 'retry') notice(part.id, retryText(part, isNested ? info.agent : undefined), 'warning');
    if (part.type === 'snapshot') snapshot = part.snapshot;
    if (part.type !== 'patch') return;
    const { id, hash, files } = part;
    const hidden = files.filter((path) => !seenFiles.has(resolve(info.root, path)));
    if (hidden.length === 0) return;
    if (options.onUnseenChanges !== undefined && unseen !== undefined && snapshot !== undefined)
      options.onUnseenChanges({ before: hash, after: snapshot, files: hidden, result: unseen });
    else notice(id, changedText(hidden));
  };

  const addedMessage = ({ info, parts }: Message) => {
    if (info.role !== 'user') return;
    for (const part of parts)
      if (part.type === 'compaction') {
        const place = agentPlace(part.id);
        summaries.set(info.id, place);
        blocks.start(place, { type: 'notice', text: SUMMING_UP, level: 'info' });
      } else if (part.type === 'text' && part.synthetic === true) notice(part.id, part.text);
  };

  const finishedStep = (
    { partID, messageID, cost, tokens, error }: AgentEventOf<'finish-step'>,
    state: SessionState,
  ) => {
    const info = infoOf(state, messageID);
    const isSummary = info?.role === 'assistant' && info.summary === true;
    const marker = isSummary ? summaries.get(info.parentID) : undefined;
    if (marker !== undefined && error !== undefined)
      blocks.stop(marker, {
        type: 'notice',
        text: `The conversation could not be summarized: ${error.message}`,
        level: 'warning',
      });
    const used = usageBlock(tokens, cost);
    // What a summary or a subagent took is not what the conversation takes.
    const size = isNested || isSummary ? 0 : options.contextTokens(state);
    if (used !== undefined)
      blocks.stop(agentPlace(partID), {
        ...used,
        ...(size > 0 ? { context_used: totalTokens(tokens), context_size: size } : {}),
      });
    said.clear();
    [unseen, snapshot] = [undefined, undefined];
    seenFiles = new Set();
  };

  const finish = () => {
    calls.interrupt();
    blocks.closeAll();
    said.clear();
    summaries.clear();
  };

  return {
    finish,
    push(event, state) {
      switch (event.type) {
        case 'text-delta':
        case 'reasoning-delta':
          if (isNested || isSummaryOf(state, event.messageID)) return;
          return say(event.type === 'text-delta' ? 'text' : 'thinking', event);
        case 'text-end':
        case 'reasoning-end':
          return blocks.close(event.partID);
        case 'tool-input-start':
        case 'tool-input-delta':
        case 'tool-call':
        case 'tool-state':
        case 'tool-metadata':
        case 'tool-result': {
          if (isSummaryOf(state, event.messageID)) return;
          const finished = calls.push(event, state);
          if (finished !== undefined) finishedCall(finished, state);
          return;
        }
        case 'part-removed': {
          const place = said.get(event.partID);
          if (place !== undefined) {
            const { kind, ...where } = place;
            blocks.close(event.partID); // First whole, then taken back: a block that is closed is what was said.
            blocks.stop(where, emptyBlock(kind));
          }
          return calls.breakOff(event.partID);
        }
        case 'part-added':
          return addedPart(event.part, state);
        case 'message-added':
          return isNested ? undefined : addedMessage(event.message);
        case 'finish-step':
          return finishedStep(event, state);
        case 'compacted': {
          const place = event.summary === undefined ? undefined : summaries.get(event.summary.messageID);
          if (place === undefined) return;
          summaries.delete(event.summary!.messageID);
          blocks.stop(place, { type: 'notice', text: SUMMED_UP, level: 'info' });
          return;
        }
        case 'todos-updated':
          if (isNested) return;
          blocks.stop(agentPlace(`${state.info.id}.plan`), { type: 'plan', entries: event.todos });
          return;
        case 'session-updated':
          if (!isNested) emit(updatedAgent(event, state));
          return;
        case 'turn-finished': {
          finish();
          const block = event.error === undefined || isNested ? undefined : turnEndBlock(event.error);
          if (block !== undefined) blocks.stop(agentPlace(event.turnID), block);
          return;
        }
        default: // Where steps and turns begin stays inside; prompts are shown by whoever sent them.
      }
    },
  };
}

const SUMMING_UP = 'The conversation is getting long. Summarizing it…';
const SUMMED_UP = 'The conversation was summarized. The agent continues from the summary.';

/** What the agent program says of itself stands in messages of its own. */
function agentPlace(id: string): BlockPlace {
  return { messageId: `${id}.agent`, role: 'agent', blockId: id };
}

function emptyBlock(kind: 'text' | 'thinking'): ContentBlockOf<'text' | 'thinking'> {
  return kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' };
}

function retryText({ attempt, error: { message, details } }: RetryPart, agent: string | undefined): string {
  const { code, delayMs, retries } = details ?? {};
  return writeRetry({
    attempt: attempt + 1,
    attempts: typeof retries === 'number' ? retries + 1 : attempt + 1,
    waitMs: typeof delayMs === 'number' ? delayMs : 0,
    isRateLimited: code === 'rate-limited',
    message,
    agent,
  });
}

const MOST_NAMED = 20;

function changedText(files: readonly string[]): string {
  const more = files.length - MOST_NAMED;
  return `This step changed ${files.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more files` : ''}.`;
}

function updatedAgent({ title, agent, model }: AgentEventOf<'session-updated'>, state: SessionState): BackendEvent {
  return {
    type: 'agent-updated',
    ...(title === undefined ? {} : { title }),
    ...(agent === undefined ? {} : { mode: agent }),
    ...(model === undefined ? {} : { model: modelName(state) }),
  };
}

function infoOf(state: SessionState, messageID: string): Message['info'] | undefined {
  return state.messages.findLast(({ info }) => info.id === messageID)?.info;
}

function isSummaryOf(state: SessionState, messageID: string): boolean {
  const info = infoOf(state, messageID);
  return info?.role === 'assistant' && info.summary === true;
}
