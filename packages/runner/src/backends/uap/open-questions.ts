import type { Approval, BackendEvent } from '@dragoman/protocol';

/**
 * The questions of an agent that wait, each under an id that stands for exactly one text.
 *
 * An agent may ask something else under an id that it used before, or tell the call that it asked about otherwise. Who
 * answers then must not say yes to what they did not see: the old question is withdrawn, and the new one has another id.
 */
export class OpenQuestions {
  /** By the id that people answer. */
  readonly #open = new Map<string, Approval>();
  readonly #timesUsed = new Map<string, number>();

  /** What people are told when the agent asks. */
  ask(approval: Approval): BackendEvent[] {
    const withdrawn = this.withdraw(approval.id);
    const count = (this.#timesUsed.get(approval.id) ?? 0) + 1;
    this.#timesUsed.set(approval.id, count);
    const id = count === 1 ? approval.id : `${approval.id}~${count}`;
    this.#open.set(id, approval);
    return [...withdrawn, { type: 'approval-asked', approval: { ...approval, id } }];
  }

  /** What people are told when the agent asks no more; it knows the question by its own id. */
  withdraw(agentId: string): BackendEvent[] {
    return [...this.#open].flatMap(([approvalId, { id }]): BackendEvent[] =>
      id === agentId && this.#open.delete(approvalId) ? [{ type: 'approval-withdrawn', approvalId }] : [],
    );
  }

  withdrawAll(): BackendEvent[] {
    return [...this.#open.values()].flatMap(({ id }) => this.withdraw(id));
  }

  /** The questions about a call, as the agent asked them. */
  about(toolUseId: string): Approval[] {
    return [...this.#open.values()].filter((approval) => approval.toolUseId === toolUseId);
  }

  /** The agent's id of a question that is answered now; nothing where it waits no more. */
  answer(approvalId: string): string | undefined {
    const approval = this.#open.get(approvalId);
    this.#open.delete(approvalId);
    return approval?.id;
  }
}
