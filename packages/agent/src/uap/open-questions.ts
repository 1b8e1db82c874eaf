import type { Approval, ApprovalReply, BackendEvent, SessionState, ToolPart } from '@dragoman/protocol';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approval.ts';
import type { QuestionAnswer, QuestionRequest } from '../question/question.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import { decodeAnswer, decodeReply, encodeApproval, encodeQuestion } from './ask-approval.ts';

/** Whose question it is, and where it is asked. */
export interface AskedBy {
  /** The session that people see. */
  own: SessionRunner;
  /** The one that asks; it may do a task of the other. */
  asking: SessionRunner;
  emit: (event: BackendEvent) => void;
}

/** The questions of a session that wait for people. */
export class OpenQuestions {
  readonly #waiting = new Map<string, (reply: ApprovalReply) => void>();

  /** Asks whether a call may run. When the signal fires the question is withdrawn. */
  async ask(request: ApprovalRequest, { own, asking, emit }: AskedBy, signal: AbortSignal): Promise<ApprovalAnswer> {
    const approval = encodeApproval(request, {
      title: asking === own ? request.title : `${asking.state.info.agent}: ${request.title}`,
      toolUseId: findCall(asking.state, request)?.id,
      place: { cwd: own.state.info.cwd, root: asking.state.info.root },
    });
    return decodeReply(await this.#put(approval, emit, signal));
  }

  /** Asks what a running call wants to know. When the signal fires the question is withdrawn. */
  async askAnswer(request: QuestionRequest, { emit }: AskedBy, signal: AbortSignal): Promise<QuestionAnswer> {
    return decodeAnswer(await this.#put(encodeQuestion(request), emit, signal), request);
  }

  /** Passes on what was decided. A question that waits no more is ignored. */
  answer(approvalId: string, reply: ApprovalReply): void {
    const resolve = this.#waiting.get(approvalId);
    this.#waiting.delete(approvalId);
    resolve?.(reply);
  }

  async #put(approval: Approval, emit: AskedBy['emit'], signal: AbortSignal): Promise<ApprovalReply> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalReply>();
    const withdraw = () => {
      if (this.#waiting.delete(approval.id)) emit({ type: 'approval-withdrawn', approvalId: approval.id });
      reject(signal.reason as Error);
    };
    this.#waiting.set(approval.id, resolve);
    signal.addEventListener('abort', withdraw, { once: true });
    emit({ type: 'approval-asked', approval });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }
}

function findCall({ messages }: SessionState, { messageID, callID }: ApprovalRequest): ToolPart | undefined {
  const message = messages.findLast(({ info }) => info.id === messageID);
  return message?.parts.findLast((part): part is ToolPart => part.type === 'tool' && part.callID === callID);
}
