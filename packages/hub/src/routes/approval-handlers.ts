import { decideApproval } from '../approvals/decide-approval.ts';
import { listApprovals, listRules, removeRule } from '../approvals/list-approvals.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

type Names = 'listApprovals' | 'decideApproval' | 'listRules' | 'removeRule';

/** What agents ask, and what was allowed for good. */
export function approvalHandlers({ parts }: HubEngine): Pick<HubHandlers, Names> {
  return {
    async listApprovals() {
      return { approvals: await listApprovals(parts) };
    },
    async decideApproval(request) {
      const { caller, params, body } = readCall('decideApproval', request);
      return decideApproval(parts, caller, params, body, { mayBeRepeated: true });
    },
    async listRules() {
      return { rules: await listRules(parts) };
    },
    async removeRule(request) {
      const { caller, params } = readCall('removeRule', request);
      await removeRule(parts, caller, params.ruleId);
      return {};
    },
  };
}
