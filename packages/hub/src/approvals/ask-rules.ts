import {
  type Approval,
  type CompiledPermissions,
  compilePermissions,
  isSubjectKnown,
  PERMISSION_LAYERS,
  type PermissionQuestion,
  type PermissionSubject,
  rulesFromConfig,
  trimEndOf,
} from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange, SessionRow } from '../log/session-change.ts';

/** The rules that hold in a session: what the configuration says, and what people answered with "always" in that folder of that machine. */
export async function sessionRules({ config }: HubParts, { db, session }: SessionChange): Promise<CompiledPermissions> {
  const saved = await db
    .selectFrom('hub_rules')
    .select(['id', 'tool', 'pattern', 'by_name'])
    .where('runner_id', '=', session.runner_id)
    .where('folder', '=', session.folder)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return compilePermissions([
    ...rulesFromConfig(config().permissions ?? {}, 'dragoman.json'),
    ...saved.map(({ tool, pattern, by_name }) => ({
      tool,
      pattern,
      action: 'allow' as const,
      origin: `"always" of ${by_name}`,
      layer: PERMISSION_LAYERS.approval,
    })),
  ]);
}

/** What the rules are asked about an approval; nothing where the agent has asked them itself. */
export function toQuestion({ question }: Approval, session: Readonly<SessionRow>): PermissionQuestion | undefined {
  if (question === undefined) return undefined;
  const root = trimEndOf((session.cwd ?? session.folder).replaceAll('\\', '/'), '/');
  return { tool: question.tool, subjects: question.subjects.map((subject) => inProject(subject, root)) };
}

/** What "always" saves: the rules that were shown with the question, and no others. */
export function alwaysRules({ question, always = [] }: Approval): NonNullable<Approval['always']> {
  return question === undefined || !isSubjectKnown(question) ? [] : always;
}

/** Patterns are about paths from the project's root; agents often tell the whole path. */
function inProject(subject: PermissionSubject, root: string): PermissionSubject {
  if (subject.kind !== 'path') return subject;
  const path = subject.value.replaceAll('\\', '/');
  if (path === root) return { ...subject, value: '.' };
  return path.startsWith(`${root}/`) ? { ...subject, value: path.slice(root.length + 1) } : subject;
}
