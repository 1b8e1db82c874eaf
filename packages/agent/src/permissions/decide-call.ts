import {
  type CompiledPermissions,
  isUnreadableCommand,
  type PermissionExplanation,
  type PermissionQuestion,
  type SuggestedRule,
  suggestAlways,
} from '@dragoman/protocol';

/** Whether a person can be asked: yes; no, so nothing is done that would need one; no, and everything was allowed beforehand. */
export type AskMode = 'interactive' | 'headless' | 'yes';

/** What becomes of a call. */
export type CallDecision =
  | { action: 'allow' }
  | {
      action: 'deny';
      /** For the model: why, and what to do now. */
      message: string;
    }
  | {
      action: 'ask';
      reason: string;
      /** What "always" would store; empty where nothing of use could be stored. */
      always: SuggestedRule[];
    };

/** More would hide the sentence they belong to. */
const MAX_HINTS = 3;

/**
 * Decides a call by the rules and by who is there. Where nobody can be asked, what would be asked about is denied, or
 * allowed where the user said so beforehand. A deny stays a deny: where there is one that a command could go against, who
 * said yes beforehand did not say it to commands that cannot be read.
 */
export function decideCall(
  question: PermissionQuestion,
  permissions: CompiledPermissions,
  mode: AskMode,
  explanation: PermissionExplanation = permissions.explain(question),
): CallDecision {
  const { action, reason } = explanation;
  if (action === 'allow') return { action };
  if (action === 'deny') {
    return {
      action,
      message: `${reason} It was not run. Do not look for another way to the same end; go on without it, or tell the user what you need.`,
    };
  }
  if (mode === 'yes') {
    if (!isUnreadable(question) || !permissions.holdsDenyForCommands(question.tool)) return { action: 'allow' };
    return {
      action: 'deny',
      message:
        'What this command runs cannot be told from its text, and there are rules that deny commands or files, which --yes does not lift. It was not run. Write the command out: no variables or substitutions in place of a command, no eval, no script that is piped into a shell, no line that goes on inside a word, and nothing quoted or run inside ${…}.',
    };
  }
  const always = suggestAlways(question, { ...permissions.options, explanation });
  if (mode === 'interactive') return { action: 'ask', reason, always };
  return {
    action: 'deny',
    message: `${reason} Nobody can be asked here, so it was not run. The user can allow it by starting with --yes, or with a line in "permissions" of dragoman.json${hint(always)}.`,
  };
}

function isUnreadable({ subjects }: PermissionQuestion): boolean {
  return subjects.some(({ kind, value }) => kind === 'command' && isUnreadableCommand(value));
}

/** The line as it would stand in the configuration; a question is about one tool. */
function hint(rules: readonly SuggestedRule[]): string {
  const [first] = rules;
  if (first === undefined || rules.length > MAX_HINTS) return '';
  const allowed =
    first.pattern === '*'
      ? '"allow"'
      : `{ ${rules.map(({ pattern }) => `${JSON.stringify(pattern)}: "allow"`).join(', ')} }`;
  return `: ${JSON.stringify(first.tool)}: ${allowed}`;
}
