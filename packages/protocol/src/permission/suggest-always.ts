import { normalizeCommand, splitWords } from './command-pattern.ts';
import { isInGitFolder, isInsideProject, normalizePath, type PermissionOptions } from './path-pattern.ts';
import { MAX_PATTERN_LENGTH } from './permissions-config.ts';
import type {
  PermissionExplanation,
  PermissionQuestion,
  PermissionRule,
  PermissionSubject,
  SubjectExplanation,
} from './permission.ts';
import { isBeyondLimits } from './question-limits.ts';
import { isSubjectKnown } from './subject-tools.ts';
import { isUnreadableCommand } from './unreadable-command.ts';
import { widenedWords } from './widened-commands.ts';
import { escapeWildcard } from './wildcard.ts';

/** What would be allowed from now on. */
export type SuggestedRule = Pick<PermissionRule, 'tool' | 'kind' | 'pattern'>;

/**
 * What "always, in this project" would store for a question: wide enough to be of use the next time, and not wider than
 * the person who says it would expect. A command is stored as it stands, unless it is known what its arguments can do.
 *
 * With the explanation, only what had to be asked about gets a rule; and where a rule about just such subjects asked
 * (`.env` files), or one about the others did not apply (`rg *`, but not with `--pre`), it is the very subject and no
 * more. Nothing is offered where a part of it could not be stored, such as what nobody would read to the end: the next
 * time would be asked about all the same. Nor is anything for a command that cannot be read, or for more than can be checked
 * at once, which is allowed once at most, nor where it is not known which command, file or host it is about.
 */
export function suggestAlways(
  question: PermissionQuestion,
  { explanation, ...options }: PermissionOptions & { explanation?: PermissionExplanation } = {},
): SuggestedRule[] {
  if (isBeyondLimits(question) || !isSubjectKnown(question)) return [];
  const { tool } = question;
  const subjects = question.subjects.filter(({ deniedAs }) => deniedAs === undefined);
  if (subjects.length === 0) return [{ tool, pattern: '*' }];
  if (subjects.some(({ kind, value }) => kind === 'command' && isUnreadableCommand(value))) return [];
  const suggested = new Map<string, SuggestedRule>();
  for (const [index, subject] of subjects.entries()) {
    const explained = explanation?.subjects[index];
    if (explained !== undefined && explained.action !== 'ask') continue;
    const pattern = isSpecial(explained) ? exactly(subject, options) : widely(subject, options);
    if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return [];
    suggested.set(`${subject.kind} ${pattern}`, { tool, kind: subject.kind, pattern });
  }
  return [...suggested.values()];
}

function isSpecial(explained: SubjectExplanation | undefined): boolean {
  if (explained === undefined) return false;
  const isRuleForSuch = explained.rule !== undefined && !/^\*+$/.test(explained.rule.pattern);
  return isRuleForSuch || explained.heldBack.some(({ rule }) => rule.action === 'allow');
}

function exactly({ kind, value }: PermissionSubject, options: PermissionOptions): string {
  switch (kind) {
    case 'path':
      return exactPath(normalizePath(value, options));
    case 'command':
      return escapeWildcard(normalizeCommand(value));
    case 'host':
    case 'name':
      return escapeWildcard(value);
  }
}

function widely(subject: PermissionSubject, options: PermissionOptions): string {
  if (subject.kind === 'path') return folderOf(normalizePath(subject.value, options));
  if (subject.kind === 'command') return commandPrefix(subject.value) ?? exactly(subject, options);
  return exactly(subject, options);
}

/**
 * Inside the project the folder with everything below; a file at the root stands for itself, the root is no folder of it.
 * Folders with a dot in front (`.git`, `.husky`, `.vscode`) hold what other programs run.
 */
function folderOf(path: string): string {
  if (path === '.') return './**';
  const slash = path.lastIndexOf('/');
  const isHidden = isInGitFolder(path) || /(^|\/)\.[^/]*\//.test(path);
  if (!isInsideProject(path) || slash === -1 || isHidden) return exactPath(path);
  return `${exactPath(path.slice(0, slash))}/**`.replace(/^\.\/(?=[^~])/, '');
}

/** `./` says that a name at the root is meant, and not one at any depth. */
function exactPath(path: string): string {
  return isInsideProject(path) ? `./${escapeWildcard(path)}` : escapeWildcard(path);
}

/** The words that say what a command does, then ` *`; nothing where only the very command will do. */
function commandPrefix(command: string): string | undefined {
  const words = widenedWords(splitWords(command));
  return words === undefined ? undefined : `${words.join(' ')} *`;
}
