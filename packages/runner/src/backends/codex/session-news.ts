import type { BackendEvent, ContentBlockOf } from '@dragoman/protocol';
import type { BlockWriter } from '../../backend/block-writer.ts';
import { type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';
import { errorText } from './describe-error.ts';
import type { ThreadItems } from './thread-items.ts';
import type { TurnUsage } from './turn-usage.ts';

/** Where what Codex tells goes to. */
export interface SessionNewsOptions {
  writer: BlockWriter;
  items: ThreadItems;
  usage: TurnUsage;
  emit: (event: BackendEvent) => void;
  /** What the thread is called, as soon as it has a name. */
  threadId: () => string | undefined;
  /** What the turn that runs is called, as soon as it has a name. */
  turnId: () => string | undefined;
  onTurnStarted: (turnId: string) => void;
  onTurnCompleted: (turn: Fields) => void;
}

type PlanEntry = ContentBlockOf<'plan'>['entries'][number];

const PLAN_STATES: Readonly<Record<string, PlanEntry['status']>> = {
  pending: 'pending',
  inProgress: 'in_progress',
  completed: 'completed',
};

/**
 * What Codex notifies us of, as blocks and as news of the agent. It tells of other threads too: those of agents that it
 * gave work to are told as part of that, and others are passed over, as is what nobody here knows.
 */
export class SessionNews {
  readonly #options: SessionNewsOptions;
  /** Which warnings were told, so that each is told once. */
  readonly #warned = new Set<string>();

  constructor(options: SessionNewsOptions) {
    this.#options = options;
  }

  /** Takes one notification. */
  take(method: string, params: Fields): void {
    const { threadId, items } = this.#options;
    const told = textIn(params, 'threadId');
    const isOther = told !== undefined && told !== threadId();
    if (method.startsWith('item/')) {
      if (!isOther || items.hasThread(told)) items.take(method, params, isOther ? told : undefined);
    } else if (!isOther) this.#take(method, params);
  }

  #take(method: string, params: Fields): void {
    const { writer, usage, emit, turnId } = this.#options;
    switch (method) {
      case 'turn/started': {
        const begun = textIn(fieldsIn(params, 'turn'), 'id');
        return begun === undefined ? undefined : this.#options.onTurnStarted(begun);
      }
      case 'turn/completed':
        return this.#options.onTurnCompleted(fieldsIn(params, 'turn'));
      case 'turn/plan/updated':
        return writer.plan(listIn(params, 'plan').map(toPlanEntry));
      case 'thread/tokenUsage/updated':
        // What a thread of earlier took may be told when the next turn has begun already.
        return usage.take(
          fieldsIn(params, 'tokenUsage'),
          turnId() !== undefined && turnId() === textIn(params, 'turnId'),
        );
      case 'thread/name/updated': {
        const title = textIn(params, 'threadName');
        return title === undefined ? undefined : emit({ type: 'agent-updated', title });
      }
      case 'error':
        // One that ends the turn is told with its end.
        if (params['willRetry'] === true) this.#warnOnce(`${errorText(fieldsIn(params, 'error'))} It tries again.`);
        return;
      case 'warning':
      case 'guardianWarning':
        return this.#warnOnce(textIn(params, 'message'));
      case 'configWarning':
        return this.#warnOnce([textIn(params, 'summary'), textIn(params, 'details')].filter(Boolean).join(': '));
      case 'model/rerouted':
        return this.#warnOnce(`${textIn(params, 'toModel')} answers in the place of ${textIn(params, 'fromModel')}.`);
      default:
    }
  }

  #warnOnce(text: string | undefined): void {
    if (text === undefined || text === '' || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#options.writer.notice(text, 'warning');
  }
}

function toPlanEntry(step: Fields): PlanEntry {
  return { content: textIn(step, 'step') ?? '', status: PLAN_STATES[textIn(step, 'status') ?? ''] ?? 'pending' };
}
