import type { Approval, ApprovalReply, BackendEvent } from '@dragoman/protocol';

interface Waiting {
  toolUseId: string | undefined;
  settle: (reply: ApprovalReply) => void;
}

/**
 * The questions of an agent that wait for people. Each gets exactly one reply: what was decided, or `cancelled` when nobody
 * need answer any more, and then people are told that it is withdrawn.
 */
export class OpenApprovals {
  readonly #emit: (event: BackendEvent) => void;
  readonly #waiting = new Map<string, Waiting>();
  /** The turn was cancelled: what is still asked in it needs nobody. */
  isCalledOff = false;

  constructor(emit: (event: BackendEvent) => void) {
    this.#emit = emit;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Asks people. When `signal` fires, the agent does not want to know any more. */
  ask(approval: Approval, signal?: AbortSignal): Promise<ApprovalReply> {
    if (this.isCalledOff || signal?.aborted === true) return Promise.resolve({ type: 'cancelled' });
    const { promise, resolve } = Promise.withResolvers<ApprovalReply>();
    const onAbort = () => this.#withdraw(approval.id);
    const settle = (reply: ApprovalReply) => {
      signal?.removeEventListener('abort', onAbort);
      resolve(reply);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(approval.id, { toolUseId: approval.toolUseId, settle });
    this.#emit({ type: 'approval-asked', approval });
    return promise;
  }

  /** Passes a reply on. One that nobody waits for is left out. */
  answer(approvalId: string, reply: ApprovalReply): void {
    const waiting = this.#waiting.get(approvalId);
    this.#waiting.delete(approvalId);
    waiting?.settle(reply);
  }

  /** The turn is called off: what waits and what is still asked in it needs nobody. */
  callOff(): void {
    this.isCalledOff = true;
    this.withdrawAll();
  }

  /** The turn is over or the agent is gone. */
  withdrawAll(): void {
    for (const approvalId of this.#waiting.keys()) this.#withdraw(approvalId);
  }

  /** A call is over, however that came: nobody need be asked about it. */
  withdrawFor(toolUseId: string): void {
    for (const [approvalId, waiting] of this.#waiting) if (waiting.toolUseId === toolUseId) this.#withdraw(approvalId);
  }

  #withdraw(approvalId: string): void {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined) return;
    this.#waiting.delete(approvalId);
    this.#emit({ type: 'approval-withdrawn', approvalId });
    waiting.settle({ type: 'cancelled' });
  }
}
