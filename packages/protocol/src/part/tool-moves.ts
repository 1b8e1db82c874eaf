import type { ToolState, ToolStatus } from './tool-state.ts';

const NEXT: Record<ToolStatus, readonly ToolStatus[]> = {
  pending: ['awaiting-approval', 'running', 'error'],
  'awaiting-approval': ['running', 'error'],
  running: ['completed', 'error'],
  completed: [],
  error: [],
};

/** A call moves only forward; what has ended stays as it ended. */
export function canMoveToolState(from: ToolStatus, to: ToolStatus): boolean {
  return NEXT[from].includes(to);
}

/** Whether a call still waits for its end. */
export function isOpenToolState(state: ToolState): boolean {
  return NEXT[state.status].length > 0;
}
