import type { Approval } from '../uap/approval.ts';
import type { ContentBlockOf } from '../uap/content-block.ts';

/** A question as a block among the messages. What is in a log may come from another program. */
export function approvalBlock({ id, title, options, toolUseId, reason, diffs }: Approval): ContentBlockOf<'approval'> {
  return {
    type: 'approval',
    id,
    title,
    options: Array.isArray(options) ? options : [],
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    ...(reason !== undefined && { reason }),
    ...(diffs !== undefined && { diffs }),
  };
}
