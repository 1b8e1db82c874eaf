import type { ContentBlockOf } from '../../uap/content-block.ts';
import type { SessionView, ShownApproval, ShownBlock, ShownMessage, ShownTool, ShownTurn } from '../session-view.ts';

/** A block of a certain type on a screen. */
export type ShownOf<Type extends ShownBlock['block']['type']> = ShownBlock & { block: ContentBlockOf<Type> };

/** A call with everything that belongs to it: what came of it, what was asked about it, and the calls it made itself. */
export interface Call {
  id: string;
  use: ShownOf<'tool_use'>;
  result: ShownOf<'tool_result'> | undefined;
  tool: ShownTool | undefined;
  approvals: readonly ShownApproval[];
  children: readonly Call[];
}

interface RowBase {
  /** The same for as long as the row is there. */
  key: string;
  /** Where in the log it begins. */
  since: number;
}

/** One thing under the other in a conversation. */
export type Row = RowBase &
  (
    | { type: 'prompt'; message: ShownMessage }
    | { type: 'text'; shown: ShownOf<'text'> }
    | { type: 'thinking'; shown: ShownOf<'thinking'> }
    | { type: 'call'; call: Call }
    /** Calls in a row that only look at things. */
    | { type: 'calls'; calls: readonly Call[] }
    /** A result whose call is not there. */
    | { type: 'result'; shown: ShownOf<'tool_result'> }
    /** A question that is not about a call. Without `approval` it is only told of, not asked. */
    | { type: 'approval'; shown: ShownOf<'approval'>; approval: ShownApproval | undefined }
    | { type: 'plan'; shown: ShownOf<'plan'> }
    | { type: 'attachment'; shown: ShownOf<'image' | 'file'> }
    | { type: 'notice'; shown: ShownOf<'notice'> }
    | { type: 'error'; shown: ShownOf<'error'> }
    /** How a turn ended, and what it took. */
    | { type: 'turn-end'; turn: ShownTurn; usage: SessionView['usage'] }
  );

export type RowOf<Type extends Row['type']> = Extract<Row, { type: Type }>;
