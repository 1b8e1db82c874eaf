import type { PermissionAction, PermissionRule, PermissionSubject } from './permission.ts';
import { unreadableText } from './unreadable-command.ts';

/** How the patterns of places begin that are not of the project. */
const OUTSIDE = /^(?:~?|\?:|\.\.)\//;

/** Longer ones are cut: the sentence is read by people, and by models that pay for every word. */
const MAX_SHOWN = 200;

const VERBS: Record<Exclude<PermissionAction, 'ask'>, string> = {
  allow: 'is allowed',
  deny: 'is denied',
};

/** What calls of a tool are called where there is a word for it. */
const PLURALS: Readonly<Record<string, string>> = {
  bash: 'commands',
  edit: 'edits',
  'web-fetch': 'web requests',
  'web-search': 'web searches',
};

const SUBJECT_WORDS: Record<PermissionSubject['kind'], string> = {
  path: 'on the path',
  command: 'with the command',
  host: 'on the host',
  name: 'with',
};

/** Says what was decided, and by which rule of whom; or why something is asked about that a rule seems to allow. */
export function describeDecision(
  tool: string,
  subject: PermissionSubject | undefined,
  rule: PermissionRule | undefined,
  objection?: string,
): string {
  if (objection !== undefined) return `Asks because ${objection}.`;
  const what = subject === undefined ? quoted(tool) : `${quoted(tool)} ${describeSubject(subject)}`;
  if (rule === undefined) return `Asks because no rule covers ${what}.`;
  if (rule.action === 'ask') return describeAsking(tool, rule);
  return `${what} ${VERBS[rule.action]} because of the rule ${describeRule(rule)} (${rule.origin}).`;
}

/** The same of a question that is about more than the rules are held against; without a rule it is asked about. */
export function describeBeyondLimits(tool: string, rule: PermissionRule | undefined): string {
  if (rule === undefined) return `Asks because ${quoted(tool)} is called with more than can be checked at once.`;
  if (rule.action === 'ask') return describeAsking(tool, rule);
  const what = `${quoted(tool)} with more than can be checked at once`;
  const because = `because of the rule ${describeRule(rule)} (${rule.origin})`;
  if (rule.action !== 'deny') return `${what} ${VERBS[rule.action]} ${because}.`;
  return `${what} ${VERBS.deny} ${because}, which may be about a part of it. In smaller steps each can be checked.`;
}

/** What is asked about stands beside it. */
function describeAsking(tool: string, rule: PermissionRule): string {
  if (rule.origin !== 'defaults') return `Asks because of the rule ${describeRule(rule)} (${rule.origin}).`;
  const calls = describeCalls(tool, rule);
  return `${calls[0]!.toUpperCase()}${calls.slice(1)} need approval by default.`;
}

function describeCalls(tool: string, { pattern, kind }: PermissionRule): string {
  const calls = PLURALS[tool] ?? `calls of ${quoted(tool)}`;
  if (pattern === '*') return calls;
  if (kind !== 'path') return `${calls} like ${quoted(pattern)}`;
  return OUTSIDE.test(pattern) ? 'files outside the project' : `files like ${quoted(pattern)}`;
}

/** The marks of a command that cannot be read are for rules, not for people. */
function describeSubject({ kind, value }: PermissionSubject): string {
  const unreadable = kind === 'command' ? unreadableText(value) : undefined;
  if (unreadable === undefined) return `${SUBJECT_WORDS[kind]} ${quoted(value)}`;
  return `with a command that cannot be read for sure, ${quoted(unreadable)},`;
}

/** `"bash": { "git push *": "ask" }`, as it would stand in the configuration. */
function describeRule({ tool, pattern, action }: Pick<PermissionRule, 'tool' | 'pattern' | 'action'>): string {
  if (pattern === '*') return `${JSON.stringify(tool)}: "${action}"`;
  return `${JSON.stringify(tool)}: { ${JSON.stringify(pattern)}: "${action}" }`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
