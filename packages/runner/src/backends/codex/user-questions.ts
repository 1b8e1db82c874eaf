import { type Approval, type ApprovalReply, newId } from '@dragoman/protocol';
import type { BlockWriter } from '../../backend/block-writer.ts';
import { type Fields, fieldsIn, listIn, textIn, textsIn } from '../../backend/fields.ts';
import type { OpenApprovals } from '../../backend/open-approvals.ts';

/** How Codex marks words that are none of its options. */
const NOTE = 'user_note: ';

type Elicited = { action: 'accept' | 'decline' | 'cancel'; content: unknown; _meta?: object };

/** Questions of Codex, and of the MCP servers behind it, whose answers are words. */
export class UserQuestions {
  readonly #approvals: OpenApprovals;
  readonly #writer: BlockWriter;

  constructor(approvals: OpenApprovals, writer: BlockWriter) {
    this.#approvals = approvals;
    this.#writer = writer;
  }

  /** Puts the questions of `item/tool/requestUserInput` one after the other. */
  async ask(params: Fields): Promise<{ answers: Record<string, { answers: string[] }> }> {
    const answers: Record<string, { answers: string[] }> = {};
    for (const question of listIn(params, 'questions')) {
      const id = textIn(question, 'id') ?? '';
      // What is answered here is kept in the session's log.
      if (question['isSecret'] === true) {
        this.#writer.notice(
          `Codex asked for a secret, which is not answered here: ${textIn(question, 'question')}`,
          'warning',
        );
        answers[id] = { answers: [] };
        continue;
      }
      const approval = toApproval(question);
      answers[id] = { answers: toAnswers(await this.#approvals.ask(approval), approval) };
    }
    return { answers };
  }

  /** Answers an MCP server: yes or no, one choice, one text. A larger form is declined, and people are told. */
  async elicit(params: Fields): Promise<Elicited> {
    const meta = fieldsIn(params, '_meta');
    const title = textIn(params, 'message') ?? `A question of ${textIn(params, 'serverName')}`;
    const about = { id: newId('apr'), title, reason: `Asked by the MCP server ${textIn(params, 'serverName')}` };
    const fields = Object.entries(fieldsIn(fieldsIn(params, 'requestedSchema'), 'properties'));
    const [field] = fields;
    if (textIn(params, 'mode') === 'url') {
      const reason = `${about.reason}: open ${textIn(params, 'url')}`;
      return this.#confirm({ ...about, reason, options: [{ id: 'accept', name: 'Done', kind: 'answer' }] }, null);
    }
    if (field === undefined) {
      const persist = [textIn(meta, 'persist'), ...textsIn(meta, 'persist')].filter((each) => each !== undefined);
      const call = { name: textIn(params, 'serverName') ?? 'mcp', input: fieldsIn(meta, 'tool_params') };
      return this.#confirm({ ...about, call, options: confirmOptions(persist) }, {});
    }
    if (fields.length === 1) return this.#fill(about, field[0], field[1] as Fields);
    this.#writer.notice(
      `${title}: this wants a form with ${fields.length} fields, which cannot be filled in here.`,
      'warning',
    );
    return { action: 'decline', content: null };
  }

  async #confirm(approval: Approval, content: unknown): Promise<Elicited> {
    const no = { id: 'decline', name: 'Deny', kind: 'reject_once' as const };
    const reply = await this.#approvals.ask({ ...approval, options: [...approval.options, no] });
    if (reply.type === 'cancelled') return { action: 'cancel', content: null };
    const chosen = reply.type === 'selected' ? reply.optionId : 'decline';
    if (chosen === 'accept') return { action: 'accept', content };
    if (chosen === 'session' || chosen === 'always') return { action: 'accept', content, _meta: { persist: chosen } };
    return { action: 'decline', content: null };
  }

  async #fill(about: Omit<Approval, 'options'>, name: string, schema: Fields): Promise<Elicited> {
    const choices = schema['type'] === 'boolean' ? ['true', 'false'] : textsIn(schema, 'enum');
    const options = choices.map((choice) => ({ id: choice, name: choice, kind: 'answer' as const }));
    const reply = await this.#approvals.ask({ ...about, options, allowsText: choices.length === 0 });
    if (reply.type === 'cancelled') return { action: 'cancel', content: null };
    if (reply.type === 'rejected') return { action: 'decline', content: null };
    const said = choices.includes(reply.optionId) ? reply.optionId : (reply.text ?? '');
    const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
    const value = schema['type'] === 'boolean' ? said === 'true' : isNumber ? Number(said) : said;
    return { action: 'accept', content: { [name]: value } };
  }
}

function toApproval(question: Fields): Approval {
  const options = listIn(question, 'options').map((option) => ({
    label: textIn(option, 'label') ?? '',
    description: textIn(option, 'description'),
  }));
  const lines = options.flatMap(({ label, description }) =>
    description === undefined ? [] : `${label}: ${description}`,
  );
  return {
    id: newId('apr'),
    title: textIn(question, 'question') ?? textIn(question, 'header') ?? 'A question',
    options: options.map(({ label }) => ({ id: label, name: label, kind: 'answer' })),
    ...(lines.length === 0 ? {} : { reason: lines.join('\n') }),
    allowsText: true,
  };
}

function toAnswers(reply: ApprovalReply, { options }: Approval): string[] {
  if (reply.type !== 'selected') return reply.type === 'rejected' && reply.feedback ? [NOTE + reply.feedback] : [];
  const chosen = options.filter(({ id }) => id === reply.optionId).map(({ name }) => name);
  return reply.text === undefined ? chosen : [...chosen, NOTE + reply.text];
}

function confirmOptions(persist: readonly string[]): Approval['options'] {
  return [
    { id: 'accept', name: 'Allow once', kind: 'allow_once' },
    ...(persist.includes('session')
      ? [{ id: 'session', name: 'Allow for this session', kind: 'allow_always' as const }]
      : []),
    ...(persist.includes('always') ? [{ id: 'always', name: 'Always allow', kind: 'allow_always' as const }] : []),
  ];
}
