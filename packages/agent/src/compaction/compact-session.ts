import { type AgentError, type Message, newId, type PatchPart, type UserInfo } from '@dragoman/protocol';
import { costOf, toTokens, type AgentModel } from '../agent-model.ts';
import { sessionView, textOf } from '../prompt/session-view.ts';
import { toModelMessage } from '../prompt/to-model-message.ts';
import { newAssistantInfo } from '../session/assistant-info.ts';
import type { Session } from '../session/session.ts';
import { openCalls, refuseCalls } from '../turn/refuse-calls.ts';
import { askModel, type StepOptions } from '../turn/run-step.ts';
import { chooseTail } from './choose-tail.ts';
import { outputsToPrune } from './prune-outputs.ts';
import { type CompactionSettings, SessionCompaction } from './session-compaction.ts';
import { summaryPrompt } from './summary-prompt.ts';

/** What is shortened, with which model, and why. */
export interface CompactionOptions {
  session: Session;
  model: AgentModel;
  settings: CompactionSettings;
  agent: string;
  timeouts: StepOptions['timeouts'];
  retry: StepOptions['retry'];
  graceMs?: StepOptions['graceMs'];
  abort: AbortSignal;
  /** False when a person asked for it. */
  auto: boolean;
  /** The provider has refused the prompt as too long. */
  isRefused?: boolean;
  /** How many tokens the prompt has now. */
  count: () => number;
}

/** What was done to shorten the view. */
export interface Compaction {
  kind: 'pruned' | 'summarised' | 'failed';
  error?: AgentError;
  tokens: number;
  cost: number;
}

/** What stays as it is beside the summary: a quarter of what is usable, within bounds. */
const [LEAST_TAIL, MOST_TAIL] = [2_000, 15_000];
const SUMMARY_TOKENS = 4_096;
/** Pruning alone will do when it brings the prompt well below the limit; else the next step is over it again. */
const RELIEVED = 0.7;

/**
 * Shortens what the model sees: outputs of old calls go first; when that is not enough, the older messages are summed up.
 * Nothing is deleted: the view moves, and what left it is stamped with the time.
 */
export async function compactSession(options: CompactionOptions): Promise<Compaction> {
  const { session, model, settings, count } = options;
  const usable = SessionCompaction.usableTokens(model, settings);
  const { partIDs } = outputsToPrune(session.state, {
    keepTokens: Math.min(40_000, Math.floor(usable / 4)),
    minFreedTokens: Math.min(20_000, Math.floor(usable / 10)),
  });
  if (partIDs.length > 0) {
    session.append({ type: 'compacted', messageIDs: [], partIDs });
    if (options.auto && options.isRefused !== true && count() < usable * RELIEVED)
      return { kind: 'pruned', tokens: 0, cost: 0 };
  }
  return summarise(options, usable);
}

async function summarise(options: CompactionOptions, usable: number): Promise<Compaction> {
  const { session, model } = options;
  const view = sessionView(session.state);
  const budget = Math.min(MOST_TAIL, Math.max(LEAST_TAIL, Math.floor(usable / 4)));
  const { head, tail } = chooseTail(view.messages, Math.min(budget, usable / 2), (message) =>
    toModelMessage(message, model),
  );
  if (head.length === 0) return failed('There is nothing left to summarize.');
  const markerID = markPlace(options, tail[0]);
  const { messageID, answer, error } = await askForSummary(options, markerID, head, view.summary, usable);
  const tokens = answer.usage === undefined ? 0 : answer.usage.inputTokens + answer.usage.outputTokens;
  const { cost } = costOf(answer.usage, model.price);
  if (error !== undefined) return { kind: 'failed', error, tokens, cost };
  session.append({
    type: 'compacted',
    messageIDs: [...head.map(({ info }) => info.id), messageID],
    partIDs: [],
    summary: {
      messageID: markerID,
      title: session.state.info.title,
      body: textOf(session.state.messages.find(({ info }) => info.id === messageID)!),
      diffs: changedFiles(head),
    },
  });
  return { kind: 'summarised', tokens, cost };
}

/** A message of its own says where the view was shortened. */
function markPlace(
  { session, agent, model, auto, isRefused }: CompactionOptions,
  tailStart: Message | undefined,
): string {
  const id = newId('msg');
  const at = Date.now();
  const info: UserInfo = {
    id,
    sessionID: session.id,
    role: 'user',
    time: { created: at },
    agent,
    model: { providerID: model.providerID, modelID: model.modelID },
  };
  session.append({
    type: 'message-added',
    message: {
      info,
      parts: [
        {
          id: newId('prt'),
          sessionID: session.id,
          messageID: id,
          type: 'compaction',
          auto,
          ...(isRefused === true ? { overflow: true } : {}),
          ...(tailStart === undefined ? {} : { tailStartID: tailStart.info.id }),
          time: { compacted: at },
        },
      ],
    },
  });
  return id;
}

async function askForSummary(
  { session, model, agent, timeouts, retry, graceMs, abort }: CompactionOptions,
  parentID: string,
  head: readonly Message[],
  earlier: string | undefined,
  usable: number,
) {
  const info = newAssistantInfo(session, { model, agent, parentID, at: Date.now() });
  const messageID = info.id;
  session.append({ type: 'start-step', partID: newId('prt'), info: { ...info, summary: true } });
  const maxOutputTokens = Math.min(SUMMARY_TOKENS, model.maxOutputTokens);
  const call = {
    prompt: summaryPrompt(head, earlier, Math.max(1_000, usable - maxOutputTokens)),
    tools: [],
    maxOutputTokens,
  };
  const { answer, error } = await askModel({ session, model, call, messageID, timeouts, retry, graceMs, abort });
  const said = session.state.messages.find(({ info }) => info.id === messageID);
  refuseCalls(session, openCalls(said), 'Not run: a summary calls no tools.', Date.now());
  const problem =
    error ??
    (said === undefined || textOf(said).trim() === ''
      ? ({ code: 'context-overflow', message: 'The model returned no summary.' } satisfies AgentError)
      : undefined);
  session.append({
    type: 'finish-step',
    partID: newId('prt'),
    messageID,
    reason: problem === undefined ? (answer.finishReason ?? 'stop') : 'error',
    ...costOf(answer.usage, model.price),
    tokens:
      answer.usage === undefined
        ? { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
        : toTokens(answer.usage),
    ...(problem === undefined ? {} : { error: problem }),
  });
  return { messageID, answer, error: problem };
}

function changedFiles(messages: readonly Message[]): { file: string }[] {
  const patches = messages.flatMap(({ parts }) => parts.filter((part): part is PatchPart => part.type === 'patch'));
  return [...new Set(patches.flatMap(({ files }) => files))].map((file) => ({ file }));
}

function failed(message: string): Compaction {
  return { kind: 'failed', error: { code: 'context-overflow', message }, tokens: 0, cost: 0 };
}
