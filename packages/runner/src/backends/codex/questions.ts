import { type Approval, type ApprovalReply, askedAbout, mayAnswer, newId } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn, textsIn } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import type { OpenApprovals } from '../../backend/open-approvals.ts';
import { permissionQuestion } from '../../backend/permission-question.ts';
import { type DecisionOption, decisionOptions } from './decision-options.ts';
import { changeDiffs, changedFiles } from './file-changes.ts';
import { shownCommand } from './shown-command.ts';
import type { ThreadItems } from './thread-items.ts';
import type { UserQuestions } from './user-questions.ts';

/** What questions need of the session. */
export interface QuestionsOptions {
  approvals: OpenApprovals;
  items: ThreadItems;
  userQuestions: UserQuestions;
  cwd: string;
  /** Words that came with a no, which are for the model. */
  onFeedback: (text: string) => void;
}

/** What Codex asks of us, put to people: may a command run, may files be changed, which answer is meant. */
export class Questions {
  readonly #options: QuestionsOptions;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Answers a request of Codex. */
  async serve(method: string, params: Fields): Promise<unknown> {
    const { userQuestions } = this.#options;
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return this.#decide(this.#askCommand(params), decisionOptions(params));
      case 'item/fileChange/requestApproval':
        return this.#decide(this.#askChange(params), decisionOptions(params));
      case 'item/permissions/requestApproval':
        return this.#grant(params);
      case 'item/tool/requestUserInput':
        return userQuestions.ask(params);
      case 'mcpServer/elicitation/request':
        return userQuestions.elicit(params);
      case 'currentTime/read':
        return { currentTimeAt: Math.floor(Date.now() / 1000) };
      default:
        throw JsonRpcError.unknownMethod(method);
    }
  }

  async #decide(about: Omit<Approval, 'id' | 'options'>, options: readonly DecisionOption[]): Promise<unknown> {
    const reply = await this.#ask(about, options);
    if (reply.type === 'cancelled') return { decision: 'cancel' };
    const chosen = reply.type === 'selected' ? options.find(({ id }) => id === reply.optionId) : undefined;
    const option = chosen ?? options.find(({ kind }) => kind === 'reject_once');
    const said = reply.type === 'selected' ? reply.text : reply.feedback;
    const isNo = option?.kind === 'reject_once' || option?.kind === 'reject_always';
    if (isNo && said !== undefined && option.decision !== 'cancel') this.#options.onFeedback(said);
    return { decision: option?.decision ?? 'decline' };
  }

  /** Where Codex does not tell what it would do, there is nothing to say yes to. */
  #ask(about: Omit<Approval, 'id' | 'options'>, options: readonly DecisionOption[]): Promise<ApprovalReply> {
    const offered = options.filter((option) =>
      mayAnswer(option, about.call !== undefined && askedAbout(about).isWhole),
    );
    const shown = offered.map(({ id, name, kind }) => ({ id, name, kind }));
    return this.#options.approvals.ask({ id: newId('apr'), ...about, options: shown, allowsText: true });
  }

  #askCommand(params: Fields): Omit<Approval, 'id' | 'options'> {
    const { items, cwd } = this.#options;
    const call = items.find(textIn(params, 'itemId') ?? '');
    const host = textIn(fieldsIn(params, 'networkApprovalContext'), 'host');
    const about = {
      ...this.#about(params),
      ...reasonOf(params, describeAccess(fieldsIn(params, 'additionalPermissions'))),
    };
    if (host !== undefined)
      return {
        ...about,
        title: `Connect to ${host}`,
        call: { name: 'network', input: fieldsIn(params, 'networkApprovalContext') },
        question: { tool: 'web-fetch', subjects: [{ kind: 'host', value: host }] },
      };
    const told = textIn(params, 'command') ?? (call && textIn(call.item, 'command'));
    const command = told === undefined ? undefined : shownCommand(told);
    const rawInput = command === undefined ? {} : { command };
    const more = ['cwd', 'additionalPermissions'].flatMap((name) =>
      params[name] === undefined || params[name] === null || params[name] === cwd ? [] : [[name, params[name]]],
    );
    return {
      ...about,
      ...(command === undefined ? {} : { call: { name: 'bash', input: { command, ...Object.fromEntries(more) } } }),
      title: command === undefined ? 'Run a command' : `Run: ${command.slice(0, 300)}`,
      question: permissionQuestion({ kind: 'execute', rawInput }, 'bash', cwd),
    };
  }

  #askChange(params: Fields): Omit<Approval, 'id' | 'options'> {
    const { items, cwd } = this.#options;
    const changes = listIn(items.find(textIn(params, 'itemId') ?? '')?.item ?? {}, 'changes');
    const root = textIn(params, 'grantRoot');
    const files = changedFiles(changes, cwd).map(({ path }) => path);
    const paths = root === undefined ? files : [...files, root];
    const diffs = changeDiffs(changes, cwd);
    const input = {
      ...(diffs.length === 0 && { paths }),
      ...(diffs.some(({ is_cut }) => is_cut === true) && { changes }),
      ...(root !== undefined && { grantRoot: root }),
    };
    return {
      ...this.#about(params),
      ...reasonOf(params, root === undefined ? undefined : `It asks to write anywhere in ${root}.`),
      title: paths.length === 0 ? 'Change files' : `Edit ${paths.join(', ')}`.slice(0, 300),
      ...(diffs.length === 0 ? {} : { diffs }),
      ...(paths.length === 0 ? {} : { call: { name: 'edit', input } }),
      question: permissionQuestion({ kind: 'edit', rawInput: { paths } }, 'edit', cwd),
    };
  }

  /** Access for a whole turn or session is for people: no rule grants it. */
  async #grant(params: Fields): Promise<unknown> {
    const permissions = fieldsIn(params, 'permissions');
    const about = {
      ...this.#about(params),
      title: `Allow more access: ${describeAccess(permissions) ?? 'not told what'}`.slice(0, 300),
      ...reasonOf(params, undefined),
      ...(Object.keys(permissions).length === 0 ? {} : { call: { name: 'permissions', input: permissions } }),
    };
    const options: DecisionOption[] = [
      { id: 'turn', name: 'Allow for this turn', kind: 'allow_once', decision: { permissions, scope: 'turn' } },
      {
        id: 'session',
        name: 'Allow for this session',
        kind: 'allow_always',
        decision: { permissions, scope: 'session' },
      },
      { id: 'decline', name: 'Deny', kind: 'reject_once', decision: { permissions: {}, scope: 'turn' } },
    ];
    const reply = await this.#ask(about, options);
    const chosen = options.find(({ id }) => reply.type === 'selected' && id === reply.optionId) ?? options.at(-1)!;
    return chosen.decision;
  }

  #about(params: Fields): { toolUseId?: string } {
    const call = this.#options.items.find(textIn(params, 'itemId') ?? '');
    return call === undefined ? {} : { toolUseId: call.toolUseId };
  }
}

function reasonOf(params: Fields, more: string | undefined): { reason?: string } {
  const reason = [textIn(params, 'reason'), more].filter(Boolean).join('\n');
  return reason === '' ? {} : { reason };
}

/** Access beyond the sandbox, in words. */
function describeAccess(permissions: Fields): string | undefined {
  const files = fieldsIn(permissions, 'fileSystem');
  const told = [
    ...(fieldsIn(permissions, 'network')['enabled'] === true ? ['the network'] : []),
    ...textsIn(files, 'read').map((path) => `read ${path}`),
    ...textsIn(files, 'write').map((path) => `write ${path}`),
    ...listIn(files, 'entries').map((entry) => JSON.stringify(entry)),
  ];
  return told.length === 0 ? undefined : told.join(', ');
}
