import type { ShownApproval } from '../session-view.ts';
import type { Call } from './row.ts';

/** The question about a call that was answered with a no, where that is why the call has no result of its own. */
export function deniedApproval({ tool, approvals }: Pick<Call, 'tool' | 'approvals'>): ShownApproval | undefined {
  if (tool?.status !== 'Error') return undefined;
  return approvals.find(({ decided, options }) => {
    if (decided?.reply.type === 'rejected') return true;
    const chosen = decided?.reply.type === 'selected' ? decided.reply.optionId : undefined;
    return options.some(({ id, kind }) => id === chosen && kind.startsWith('reject'));
  });
}
