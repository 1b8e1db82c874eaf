import type { PermissionAction, PermissionRule, PermissionSubject } from './permission.ts';
import { unreadableText } from './unreadable-command.ts';

/** Longer ones are cut: the sentence is read by people, and by models that pay for every word. */
const MAX_SHOWN = 200;

const VERBS: Record<PermissionAction, string> = {
  allow: 'is allowed',
  ask: 'has to be asked about',
  deny: 'is denied',
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
  const what = subject === undefined ? quoted(tool) : `${quoted(tool)} ${describeSubject(subject)}`;
  if (objection !== undefined) return `${what} ${VERBS.ask} because ${objection}.`;
  if (rule === undefined) return `No rule is about ${what}, so it ${VERBS.ask}.`;
  return `${what} ${VERBS[rule.action]} because of the rule ${describeRule(rule)} (${rule.origin}).`;
}

/** The same of a question that is about more than the rules are held against; without a rule it is asked about. */
export function describeBeyondLimits(tool: string, rule: PermissionRule | undefined): string {
  const what = `${quoted(tool)} with more than can be checked at once`;
  if (rule === undefined) return `${what} ${VERBS.ask}.`;
  const because = `because of the rule ${describeRule(rule)} (${rule.origin})`;
  if (rule.action !== 'deny') return `${what} ${VERBS[rule.action]} ${because}.`;
  return `${what} ${VERBS.deny} ${because}, which may be about a part of it. In smaller steps each can be checked.`;
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
