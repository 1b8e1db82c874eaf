import { type Approval, type ApprovalOption, type ApprovalReply, newId } from '@dragoman/protocol';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';
import type { OpenApprovals } from '../../backend/open-approvals.ts';
import { permissionQuestion } from '../../backend/permission-question.ts';
import { readToolContent } from './tool-content.ts';
import { hasInput, inputOf, type ToolCalls } from './tool-calls.ts';

/** What questions need of the session. */
export interface QuestionsOptions {
  approvals: OpenApprovals;
  calls: ToolCalls;
  cwd: string;
  /** The agent's titles say all that a call would do. */
  hasTellingTitles: boolean;
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
    // What is asked in a turn that was cancelled is not told, so nothing of the call is either.
    if (approvals.isCalledOff) return CANCELLED;
    let asked = fieldsIn(params, 'toolCall');
    // What a person says yes to is the call that they saw: where the agent tells another one meanwhile, it is asked anew.
    for (;;) {
      const changed = new AbortController();
      const approval = this.#toApproval(params, asked, () => changed.abort());
      const reply = await approvals.ask(approval, changed.signal);
      if (!changed.signal.aborted || approvals.isCalledOff) return toResponse(reply, approval.options);
      asked = { toolCallId: asked['toolCallId'] };
    }
  }

  #toApproval(params: Fields, asked: Fields, onChange: () => void): Approval {
    const known = this.#options.calls.ask(asked, onChange);
    const call = known?.call ?? asked;
    const name = known?.name ?? 'tool';
    const input = inputOf(call['rawInput']);
    // Where an agent hands in no arguments, what would be done stands in the words that it shows with the question.
    const { cwd, hasTellingTitles } = this.#options;
    const shown = readToolContent(Object.keys(input).length === 0 ? listIn(call, 'content') : [], cwd).text;
    const text = shown === '' && hasTellingTitles && !hasInput(call) ? (textIn(call, 'title') ?? '') : shown;
    const reason = [textIn(params, 'description'), text].filter(Boolean).join('\n');
    const question = permissionQuestion(call, name, cwd);
    const diffs = known?.diffs ?? [];
    // A title tells no call, unless the agent is known to say all in it: without anything else there is nothing to say yes to.
    const isTold = hasInput(call) || text !== '' || diffs.length > 0 || question.subjects.length > 0;
    const id = newId('apr');
    return {
      id,
      // A later version of the protocol gives the question a title of its own.
      title: textIn(params, 'title') ?? textIn(asked, 'title') ?? textIn(call, 'title') ?? name,
      options: listIn(params, 'options').flatMap(toOption),
      toolUseId: known?.toolUseId ?? id,
      ...(isTold && { call: { name, input } }),
      ...(reason === '' ? {} : { reason }),
      ...(diffs.length === 0 ? {} : { diffs }),
      question,
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
