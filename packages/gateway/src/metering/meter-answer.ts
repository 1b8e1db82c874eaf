import {
  type DragomanError,
  type FinishReason,
  gatherAnswer,
  type ModelAnswer,
  type ModelSink,
  type ModelUsage,
} from '@dragoman/protocol';
import { isTracingContents } from '@dragoman/server/base';

/** What a call's answer showed from the side. */
export interface AnswerMeasure {
  usage: ModelUsage | undefined;
  firstEventAt: number | undefined;
  finishReason: FinishReason | undefined;
  errorCode: string | undefined;
  /** What ended an answer that had begun. */
  brokeOff?: DragomanError;
  /** The characters of the answer so far, of whatever kind. */
  characters: number;
  /** Finds them, where the answer is passed on unread. */
  countCharacters?: () => number;
  /** What the provider calls the answer, where it is passed on as it comes. */
  answerId?: string | undefined;
  /** What the answer says, where traces tell that. */
  said?: ModelSink & { answer: ModelAnswer };
  /** Called when all is known and the client has not seen the end yet: what is noted by then survives a crash that comes after it. */
  onEnd?: () => void;
}

/** Notes usage, times and the end of an answer on its way to the client. */
export function meterAnswer(next: ModelSink, measure: AnswerMeasure): ModelSink {
  return {
    push(event) {
      if (event.type === 'finish') {
        measure.usage = event.usage;
        measure.finishReason = event.finishReason;
      } else if (event.type === 'error') {
        measure.finishReason = 'error';
        measure.errorCode = event.error.code;
        measure.brokeOff = event.error;
      } else if (measure.firstEventAt === undefined && event.type !== 'response-metadata')
        measure.firstEventAt = performance.now();
      if ('delta' in event) measure.characters += event.delta.length;
      measure.said?.push(event);
      next.push(event);
      if (event.type === 'finish' || event.type === 'error') measure.onEnd?.();
    },
  };
}

export function newMeasure(): AnswerMeasure {
  const measure = {
    usage: undefined,
    firstEventAt: undefined,
    finishReason: undefined,
    errorCode: undefined,
    characters: 0,
  };
  return isTracingContents() ? { ...measure, said: gatherAnswer() } : measure;
}
