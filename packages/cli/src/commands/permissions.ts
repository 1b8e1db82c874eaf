import { findRoot, type SavedApproval } from '@dragoman/agent';
import { explainCall } from '@dragoman/agent/inspect';
import { DragomanError, type PermissionExplanation, type PermissionRule } from '@dragoman/protocol';
import { namedFolder } from '../choose-folder.ts';
import { formatMoment } from '../format-moment.ts';
import { formatTable } from '../format-table.ts';
import type { CommonOptions } from '../load-setup.ts';
import { withLocalAgent } from '../open-local-agent.ts';
import { cleanLine, cleanPath } from '../terminal/clean-text.ts';
import { print, printJson } from '../terminal/print.ts';

interface PermissionsOptions extends CommonOptions {
  cwd?: string;
  json?: boolean;
}

/** More rules than this say nothing new to a person. */
const SHOWN_RULES = 8;

/** What was allowed for good in this project. */
export async function listApprovals(options: PermissionsOptions): Promise<void> {
  const root = findRoot(namedFolder(options.cwd));
  const approvals = await withLocalAgent(options, ({ agent }) => agent.approvals.list(root));
  if (options.json === true) printJson(approvals, 2);
  else if (approvals.length === 0) print(`Nothing is always allowed in ${cleanPath(root)}.`);
  else print(formatTable(['id', 'since', 'tool', 'allowed'], approvals.map(toRow)));
}

/** Takes an approval back: from now on it is asked again. */
export async function removeApproval(id: string, options: PermissionsOptions): Promise<void> {
  const isGone = await withLocalAgent(options, ({ agent }) => agent.approvals.remove(id));
  if (!isGone)
    throw new DragomanError('not-found', `Approval ${id} not found. List them with: dragoman permissions list`);
  if (options.json === true) printJson({ id });
  else print(`Approval ${id} removed.`);
}

/** What would become of a call, which rule says so, and what else was about it. */
export async function explainPermission(
  tool: string,
  words: string[],
  options: PermissionsOptions & { agent?: string },
): Promise<void> {
  const cwd = namedFolder(options.cwd);
  await withLocalAgent(options, async ({ agent, setup }) => {
    const settings = setup.config.value.agent;
    const { question, explanation, note } = await explainCall(await agent.workplace(cwd), {
      tool,
      words,
      agent: options.agent ?? settings.agent,
      disabled: settings.tools.disabled,
    });
    if (options.json === true) printJson({ ...question, ...explanation, note }, 2);
    else print([...describe(explanation), ...(note === undefined ? [] : ['', note])].join('\n'));
  });
}

/** The whole answer first, then each thing that the call touches with the rules about it, the strongest first. */
function describe({ action, subjects }: PermissionExplanation): string[] {
  return [
    action,
    ...subjects.flatMap(({ subject, reason, matches, heldBack, ...one }) => [
      '',
      ...(subject === undefined ? [] : [`${one.action}  ${subject.kind} ${cleanLine(subject.value)}`]),
      cleanLine(reason),
      ...rulesTable(matches),
      ...heldBack.map(
        ({ rule, unless }) => `  not counted: ${cleanLine(rule.tool)} ${cleanLine(rule.pattern)}, but for ${unless}`,
      ),
    ]),
  ];
}

function rulesTable(matches: readonly PermissionRule[]): string[] {
  if (matches.length === 0) return [];
  const rows = matches
    .slice(0, SHOWN_RULES)
    .map(({ action, tool, pattern, origin }) => [action, cleanLine(tool), cleanLine(pattern), cleanLine(origin)]);
  const more = matches.length - rows.length;
  return [
    ...formatTable(['', 'tool', 'pattern', 'from'], rows).split('\n'),
    ...(more > 0 ? [`… ${more} more rules`] : []),
  ].map((line) => `  ${line}`);
}

function toRow({ id, createdAt, tool, kind, pattern }: SavedApproval): string[] {
  return [id, formatMoment(createdAt), cleanLine(tool), cleanLine(kind === undefined ? pattern : `${kind} ${pattern}`)];
}
