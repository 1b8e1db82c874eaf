import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import type { Question, QuestionAnswer } from '../../question/question.ts';
import { askConsent, askToOpen } from './ask-consent.ts';
import { askForm } from './ask-form.ts';
import type { AskQuestion } from './put-question.ts';
import { readForm } from './read-form.ts';

/** A call that runs at a server, with the person it runs for. */
export interface CallingPerson {
  sessionID: string;
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
  /** Fires when the call is over or called off. */
  signal: AbortSignal;
}

/** So many questions of one server may wait for the one that is asked. */
const MAX_WAITING = 4;

/**
 * What servers ask people while they work on a call.
 *
 * A server does not say which call its question belongs to. Where it works for one session, it is the person there who
 * is asked; where it works for several or for none, nobody is, because it could be somebody else's business.
 */
export class Elicitations {
  readonly #calls = new Map<string, Set<CallingPerson>>();
  readonly #waiting = new Map<string, { count: number; last: Promise<unknown> }>();
  readonly #onProblem: (server: string, message: string) => void;

  constructor(onProblem: (server: string, message: string) => void) {
    this.#onProblem = onProblem;
  }

  /** Notes a call until the function given back is called. */
  enter(server: string, call: CallingPerson): () => void {
    const calls = this.#calls.get(server) ?? new Set();
    this.#calls.set(server, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size === 0) this.#calls.delete(server);
    };
  }

  /** What a server is answered. It never throws: what cannot be asked is cancelled. */
  async answer(server: string, params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    const calls = [...(this.#calls.get(server) ?? [])];
    const call = calls.at(-1);
    if (call === undefined || calls.some(({ sessionID }) => sessionID !== call.sessionID)) {
      const why = call === undefined ? 'while it worked on nothing' : 'while it worked for several sessions';
      this.#onProblem(server, `it asked something ${why}, so it is not known whom to ask`);
      return { action: 'cancel' };
    }
    const either = AbortSignal.any([signal, call.signal]);
    try {
      return await this.#inTurn(server, () => {
        either.throwIfAborted();
        return this.#put(server, params, (question) => call.ask(question, either));
      });
    } catch {
      return { action: 'cancel' };
    }
  }

  async #put(server: string, params: ElicitRequest['params'], ask: AskQuestion): Promise<ElicitResult> {
    if (params.mode === 'url') return askToOpen(server, params, ask);
    const form = readForm(params.requestedSchema);
    if ('problem' in form) {
      this.#onProblem(server, form.problem);
      return { action: 'decline' };
    }
    return form.fields.length === 0
      ? askConsent(server, params.message, ask)
      : askForm(server, params, form.fields, ask);
  }

  /** One after the other: nobody answers two forms of one server at once. */
  async #inTurn<Result>(server: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#waiting.get(server) ?? { count: 0, last: Promise.resolve() };
    if (queue.count > MAX_WAITING) throw new Error('too many questions wait');
    queue.count += 1;
    this.#waiting.set(server, queue);
    const mine = queue.last.then(work);
    queue.last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.#waiting.delete(server);
    }
  }
}
