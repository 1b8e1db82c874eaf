import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalAnswer, Approver, Asker, QuestionAnswer } from '@dragoman/agent';
import type { NativePorts } from '@dragoman/agent/backend';
import type { TerminalDesk } from '@dragoman/hub';
import { type Actor, DragomanError } from '@dragoman/protocol';
import { AnsweredElsewhere } from './terminal/answered-elsewhere.ts';

/** What a person is asked by. */
export interface TerminalAnswers {
  approver: Approver | undefined;
  asker: Asker | undefined;
}

type AnswerBody = Parameters<TerminalDesk['answer']>[2];

/** The hub, where people elsewhere see the same question. */
interface Elsewhere {
  /** What asks there; nothing before the session is known there. */
  ports: () => NativePorts | undefined;
  /** Answers there, where the first answer counts. */
  answer: (approvalId: string, answer: AnswerBody) => Promise<void>;
  /** Who answered it. */
  answeredBy: (approvalId: string) => Promise<Actor | undefined>;
}

/** How long a question may be on its way to the hub. */
const [TRIES, TRY_MS] = [50, 100];

/** Asks at the terminal and in the hub at once. Whoever answers first, here or elsewhere, has answered. */
export function answerAnywhere({ approver, asker }: TerminalAnswers, elsewhere: Elsewhere): TerminalAnswers {
  const askBoth = async <Answer>(
    question: { id: string; signal: AbortSignal },
    { toBody, inWords }: { toBody: (answer: Answer) => AnswerBody; inWords: (answer: Answer) => string },
    here: (away: AbortSignal) => Promise<Answer>,
    there: (ports: NativePorts) => Promise<Answer>,
  ): Promise<Answer> => {
    const ports = elsewhere.ports();
    if (ports === undefined) return here(question.signal);
    const away = new AbortController();
    const answered = there(ports);
    let isAnsweredHere = false;
    here(AbortSignal.any([question.signal, away.signal]))
      .then((answer) => {
        isAnsweredHere = true;
        return tell(elsewhere, question.id, toBody(answer));
      })
      .catch(() => {}); // Somebody else was first, or the turn is over.
    try {
      const answer = await answered;
      if (!isAnsweredHere) {
        const by = await elsewhere.answeredBy(question.id).catch(() => undefined);
        away.abort(new AnsweredElsewhere(inWords(answer), by));
      }
      return answer;
    } finally {
      away.abort(new DOMException('Already answered elsewhere.', 'AbortError'));
    }
  };
  return {
    approver:
      approver &&
      ((request, signal) =>
        askBoth(
          { id: request.id, signal },
          { toBody: toDecision, inWords: decisionInWords },
          (away) => approver(request, away),
          (ports) => ports.approver!(request, signal),
        )),
    asker:
      asker &&
      ((request, signal) =>
        askBoth(
          { id: request.id, signal },
          { toBody: toWords, inWords: () => 'answered' },
          (away) => asker(request, away),
          (ports) => ports.asker!(request, signal),
        )),
  };
}

async function tell({ answer }: Elsewhere, approvalId: string, body: AnswerBody): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await answer(approvalId, body);
    } catch (error) {
      if (!(error instanceof DragomanError && error.code === 'not-found') || tries === TRIES) throw error;
      await delay(TRY_MS);
    }
  }
}

function toDecision(answer: ApprovalAnswer): AnswerBody {
  if (answer.decision !== 'reject') return { optionId: answer.decision };
  return { reject: true, ...(answer.feedback === undefined ? {} : { text: answer.feedback }) };
}

function decisionInWords({ decision }: ApprovalAnswer): string {
  return { once: 'allowed once', always: 'always allowed in this project', reject: 'denied' }[decision];
}

function toWords(answer: QuestionAnswer): AnswerBody {
  if (answer.type === 'chosen') return { optionId: answer.optionId };
  return answer.type === 'text' ? { text: answer.text } : { reject: true };
}
