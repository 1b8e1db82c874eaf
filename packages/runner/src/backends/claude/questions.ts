import { type Approval, type ApprovalReply, newId } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn, textsIn } from '../../backend/fields.ts';
import type { OpenApprovals } from '../../backend/open-approvals.ts';
import { claudeQuestion } from './permission-question.ts';
import type { ToolCalls } from './tool-calls.ts';

/** What questions need of the session. */
export interface QuestionsOptions {
  approvals: OpenApprovals;
  calls: ToolCalls;
  cwd: string;
}

/** What Claude Code is answered. */
type Decision =
  | { behavior: 'allow'; updatedInput: object; updatedPermissions?: Fields[] }
  | { behavior: 'deny'; message: string; interrupt?: true };

const CALLED_OFF: Decision = { behavior: 'deny', message: 'The user called the turn off.', interrupt: true };

/** The questions of Claude Code, put to people: may a tool be used, is the plan right, which answer is meant. */
export class Questions {
  readonly #options: QuestionsOptions;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Answers a request of Claude Code. What nobody here knows is refused, which it takes as a no. */
  async serve(request: Fields, signal: AbortSignal): Promise<Decision> {
    if (textIn(request, 'subtype') !== 'can_use_tool')
      throw new Error(`there is nobody here to answer ${textIn(request, 'subtype') ?? 'a request without a name'}`);
    const input = fieldsIn(request, 'input');
    switch (textIn(request, 'tool_name')) {
      case 'AskUserQuestion':
        return this.#askAnswers(input, signal);
      case 'ExitPlanMode':
        return this.#askPlan(request, input, signal);
      default:
        return this.#askTool(request, input, signal);
    }
  }

  async #askTool(request: Fields, input: Fields, signal: AbortSignal): Promise<Decision> {
    const { approvals, calls, cwd } = this.#options;
    const name = textIn(request, 'tool_name') ?? 'tool';
    const toolUseId = textIn(request, 'tool_use_id');
    const diffs = toolUseId === undefined ? [] : calls.ask(toolUseId, name, input);
    const reason = [textIn(request, 'decision_reason'), textIn(request, 'description')].filter(Boolean).join('\n');
    const suggestions = listIn(request, 'permission_suggestions');
    const reply = await approvals.ask(
      {
        id: newId('apr'),
        title: textIn(request, 'title') ?? titleOf(name, input),
        options: [
          { id: 'once', name: 'Allow once', kind: 'allow_once' },
          ...(suggestions.length === 0
            ? []
            : [{ id: 'always', name: describeSuggestions(suggestions), kind: 'allow_always' as const }]),
          { id: 'no', name: 'Deny', kind: 'reject_once' },
        ],
        ...(toolUseId === undefined ? {} : { toolUseId }),
        call: { name, input },
        ...(reason === '' ? {} : { reason }),
        ...(diffs.length === 0 ? {} : { diffs }),
        allowsText: true,
        question: claudeQuestion(name, input, cwd),
      },
      signal,
    );
    if (isChosen(reply, 'always')) return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions };
    return isChosen(reply, 'once') ? { behavior: 'allow', updatedInput: input } : refusal(reply, 'this call');
  }

  /** A plan is for people: no rule accepts it. */
  async #askPlan(request: Fields, input: Fields, signal: AbortSignal): Promise<Decision> {
    const { approvals, calls } = this.#options;
    const toolUseId = textIn(request, 'tool_use_id');
    if (toolUseId !== undefined) calls.ask(toolUseId, 'ExitPlanMode', input);
    const plan = textIn(input, 'plan');
    const reply = await approvals.ask(
      {
        id: newId('apr'),
        title: 'Carry out this plan?',
        options: [
          { id: 'once', name: 'Carry it out, and ask before changes', kind: 'allow_once' },
          { id: 'edits', name: 'Carry it out, and change files without asking', kind: 'allow_always' },
          { id: 'no', name: 'Go on planning', kind: 'reject_once' },
        ],
        ...(toolUseId === undefined ? {} : { toolUseId }),
        call: { name: 'ExitPlanMode', input },
        ...(plan === undefined ? {} : { reason: plan }),
        allowsText: true,
      },
      signal,
    );
    const edits = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
    if (isChosen(reply, 'edits')) return { behavior: 'allow', updatedInput: input, updatedPermissions: [edits] };
    return isChosen(reply, 'once') ? { behavior: 'allow', updatedInput: input } : refusal(reply, 'the plan');
  }

  /** Several questions are put one after the other. */
  async #askAnswers(input: Fields, signal: AbortSignal): Promise<Decision> {
    const answers: Record<string, string> = {};
    for (const question of listIn(input, 'questions')) {
      const approval = toAnswerApproval(question);
      const reply = await this.#options.approvals.ask(approval, signal);
      const answer = readAnswer(reply, approval);
      if (answer === undefined) return refusal(reply, 'to answer');
      answers[textIn(question, 'question') ?? ''] = answer;
    }
    return { behavior: 'allow', updatedInput: { ...input, answers } };
  }
}

function toAnswerApproval(question: Fields): Approval {
  const options = listIn(question, 'options').map((option) => ({
    label: textIn(option, 'label') ?? '',
    description: textIn(option, 'description'),
  }));
  const lines = options.flatMap(({ label, description }) =>
    description === undefined ? [] : `${label}: ${description}`,
  );
  const several =
    question['multiSelect'] === true ? ['More than one may be meant: write them with commas between.'] : [];
  const reason = [...lines, ...several].join('\n');
  return {
    id: newId('apr'),
    title: textIn(question, 'question') ?? textIn(question, 'header') ?? 'A question',
    options: options.map(({ label }) => ({ id: label, name: label, kind: 'answer' })),
    ...(reason === '' ? {} : { reason }),
    allowsText: true,
  };
}

/** The answer in words: what was chosen, and what was said to it. */
function readAnswer(reply: ApprovalReply, { options }: Approval): string | undefined {
  if (reply.type !== 'selected') return undefined;
  const chosen = options.find(({ id }) => id === reply.optionId)?.name;
  if (chosen === undefined) return reply.text;
  return reply.text === undefined ? chosen : `${chosen} (${reply.text})`;
}

function isChosen(reply: ApprovalReply, optionId: string): boolean {
  return reply.type === 'selected' && reply.optionId === optionId;
}

/** A no, with the words that came with it, which are for the model. */
function refusal(reply: ApprovalReply, what: string): Decision {
  if (reply.type === 'cancelled') return CALLED_OFF;
  const said = reply.type === 'selected' ? reply.text : reply.feedback;
  return { behavior: 'deny', message: `The user refused ${what}${said === undefined ? '.' : `: ${said}`}` };
}

function titleOf(name: string, input: Fields): string {
  const about = ['command', 'file_path', 'notebook_path', 'url', 'query', 'pattern', 'description'];
  const text = about.map((field) => textIn(input, field)).find((value) => value !== undefined);
  return text === undefined ? `Use ${name}` : `${name}: ${text.slice(0, 300)}`;
}

/** What Claude Code would remember, in a line. */
function describeSuggestions(suggestions: readonly Fields[]): string {
  const what = suggestions.flatMap((each) => [
    ...listIn(each, 'rules').map((rule) => {
      const [tool, content] = [textIn(rule, 'toolName') ?? '', textIn(rule, 'ruleContent')];
      return content === undefined ? tool : `${tool}(${content})`;
    }),
    ...textsIn(each, 'directories'),
    ...(textIn(each, 'mode') === undefined ? [] : [`mode ${textIn(each, 'mode')}`]),
  ]);
  const where = suggestions.every((each) => textIn(each, 'destination') === 'session') ? ' for this session' : '';
  return `Always allow${where}: ${what.join(', ')}`;
}
