import { type Choice, DragomanError } from '@dragoman/protocol';
import { type Fields, fieldsIn, textIn } from '../../backend/fields.ts';

interface CodexMode extends Choice {
  approvalPolicy: string;
  sandbox: string;
  /** The same as `sandbox`, as it is told for a turn. */
  sandboxPolicy: { type: string } & Record<string, unknown>;
}

/** What Codex itself offers people to choose: when it asks, and what it may touch without asking. */
const MODES: readonly CodexMode[] = [
  {
    id: 'read-only',
    name: 'Read only',
    description: 'Reads, and asks before it changes files or runs what could.',
    approvalPolicy: 'on-request',
    sandbox: 'read-only',
    sandboxPolicy: { type: 'readOnly', networkAccess: false },
  },
  {
    id: 'auto',
    name: 'Auto',
    description: 'Works in the folder of the session, and asks for what is outside it and for the network.',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    sandboxPolicy: {
      type: 'workspaceWrite',
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
  },
  {
    id: 'full-access',
    name: 'Full access',
    description: 'Asks nobody. Only for a machine that may be broken.',
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
    sandboxPolicy: { type: 'dangerFullAccess' },
  },
];

/** The modes as people choose among them. */
export const CODEX_MODES: readonly Choice[] = MODES.map(({ id, name, description }) => ({
  id,
  ...(name && { name }),
  ...(description && { description }),
}));

/** What a mode means for a thread that is opened, and for a turn of one that is open. */
export function findMode(mode: string): Omit<CodexMode, keyof Choice> {
  const found = MODES.find(({ id }) => id === mode);
  if (found !== undefined) return found;
  const names = MODES.map(({ id }) => id).join(', ');
  throw new DragomanError('bad-request', `Codex has no mode "${mode}"; it has: ${names}`);
}

/** The mode that a thread was opened in, where it is one of these. */
export function readMode(opened: Fields): string | undefined {
  const [policy, sandbox] = [textIn(opened, 'approvalPolicy'), textIn(fieldsIn(opened, 'sandbox'), 'type')];
  return MODES.find((mode) => mode.approvalPolicy === policy && mode.sandboxPolicy.type === sandbox)?.id;
}
