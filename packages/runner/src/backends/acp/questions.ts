import { type Approval, type ApprovalOption, type ApprovalReply, newId } from '@dragoman/protocol';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';
import type { OpenApprovals } from '../../backend/open-approvals.ts';
import { permissionQuestion } from '../../backend/permission-question.ts';
import type { ToolCalls } from './tool-calls.ts';

/** What questions need of the session. */
export interface QuestionsOptions {
  approvals: OpenApprovals;
  calls: ToolCalls;
  cwd: string;
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** The questions of an agent, put to people: may a call be run? */
export class Questions {
  readonly #options: QuestionsOptions;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Asks people, and resolves with what the agent is answered. */
  async ask(params: Fields): Promise<RequestPermissionResponse> {
    const { approvals } = this.#options;
    // What is asked in a turn that was called off is not told, so nothing of the call is either.
    if (approvals.isCalledOff) return CANCELLED;
    const approval = this.#toApproval(params);
    return toResponse(await approvals.ask(approval), approval.options);
  }

  #toApproval(params: Fields): Approval {
    const asked = fieldsIn(params, 'toolCall');
    const known = this.#options.calls.ask(asked);
    const call = known?.call ?? asked;
    const name = known?.name ?? 'tool';
    const reason = textIn(params, 'description');
    return {
      id: newId('apr'),
      // A later version of the protocol gives the question a title of its own.
      title: textIn(params, 'title') ?? textIn(asked, 'title') ?? textIn(call, 'title') ?? name,
      options: listIn(params, 'options').flatMap(toOption),
      ...(known === undefined ? {} : { toolUseId: known.toolUseId }),
      ...(reason === undefined ? {} : { reason }),
      ...(known === undefined || known.diffs.length === 0 ? {} : { diffs: known.diffs }),
      question: permissionQuestion(call, name, this.#options.cwd),
    };
  }
}

const OPTION_KINDS: ReadonlySet<string> = new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']);

/** An option of a kind that nobody here knows is an answer like any other: no rule ever chooses it. */
function toOption(option: Fields): ApprovalOption[] {
  const [id, kind = ''] = [textIn(option, 'optionId'), textIn(option, 'kind')];
  if (id === undefined) return [];
  return [
    {
      id,
      name: textIn(option, 'name') ?? id,
      kind: (OPTION_KINDS.has(kind) ? kind : 'answer') as ApprovalOption['kind'],
    },
  ];
}

function toResponse(reply: ApprovalReply, options: readonly ApprovalOption[]): RequestPermissionResponse {
  if (reply.type === 'selected') return { outcome: { outcome: 'selected', optionId: reply.optionId } };
  const no = options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
  if (reply.type === 'cancelled' || no === undefined) return CANCELLED;
  return { outcome: { outcome: 'selected', optionId: no.id } };
}
