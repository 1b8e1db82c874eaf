import type { BackendSession } from '@dragoman/protocol';
import { BlockWriter } from '../../backend/block-writer.ts';
import { OpenApprovals } from '../../backend/open-approvals.ts';
import type { OpenHow } from './codex-link.ts';
import { Questions } from './questions.ts';
import { SessionNews, type SessionNewsOptions } from './session-news.ts';
import { ThreadItems } from './thread-items.ts';
import { TurnUsage } from './turn-usage.ts';
import { UserQuestions } from './user-questions.ts';

/** Everything that belongs to one session, from when it is opened, over all the processes that serve it. */
export interface OpenedSession {
  session: BackendSession;
  writer: BlockWriter;
  items: ThreadItems;
  approvals: OpenApprovals;
  questions: Questions;
  news: SessionNews;
  usage: TurnUsage;
}

/** What the parts of a session need of the backend. */
export interface OpenSessionOptions extends Pick<
  SessionNewsOptions,
  'threadId' | 'turnId' | 'onTurnStarted' | 'onTurnCompleted'
> {
  onFeedback: (text: string) => void;
}

/** Puts the parts of a session together. */
export function openSession(session: BackendSession, how: OpenHow, options: OpenSessionOptions): OpenedSession {
  const { emit, cwd } = session;
  const isNew = how.type === 'new';
  const writer = new BlockWriter(emit);
  const approvals = new OpenApprovals(emit);
  const onOver = (toolUseId: string) => approvals.withdrawFor(toolUseId);
  const items = new ThreadItems({ writer, cwd, isContinued: !isNew, onOver });
  const usage = new TurnUsage(isNew);
  const userQuestions = new UserQuestions(approvals, writer);
  const questions = new Questions({ approvals, items, userQuestions, cwd, onFeedback: options.onFeedback });
  const news = new SessionNews({ ...options, writer, items, usage, emit });
  return { session, writer, items, approvals, questions, news, usage };
}
