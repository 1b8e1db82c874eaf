import type { GoldenMove } from '../../backend/golden-moves.fixture.ts';
import { say } from './codex.fixture.ts';
import type { Step } from './fake-codex.fixture.ts';

const PLAN_STATES: Readonly<Record<string, string>> = { in_progress: 'inProgress', completed: 'completed' };

/** A golden session as a script for the fake. Calls are told as those of tools that a client brings. */
export function toSteps(moves: readonly GoldenMove[]): Step[] {
  const calls = new Map(moves.flatMap((move) => (move.type === 'use' ? [[move.id, move] as const] : [])));
  const parents = new Set([...calls.values()].flatMap(({ parent }) => parent ?? []));
  const toItem = (id: string, more: object) => {
    const { name = 'tool', input = {}, parent } = calls.get(id) ?? {};
    const item = { type: 'dynamicToolCall', id, namespace: null, tool: name, arguments: input, ...more };
    const receiverThreadIds = parents.has(id) ? { receiverThreadIds: [`thread of ${id}`] } : {};
    return {
      ...(parent === undefined ? {} : { thread: `thread of ${parent}` }),
      item: { ...item, ...receiverThreadIds },
    };
  };
  return moves.map((move, at): Step => {
    switch (move.type) {
      case 'text':
        return say(move.text, `msg_${at}`);
      case 'thinking':
        return { item: { type: 'reasoning', id: `rs_${at}`, summary: [move.text], content: [] } };
      case 'use': {
        const { item, ...thread } = toItem(move.id, { status: 'inProgress', contentItems: null, success: null });
        return { ...thread, begin: item };
      }
      case 'result': {
        const contentItems = [{ type: 'inputText', text: move.content }];
        const status = move.isError ? 'failed' : 'completed';
        const { item, ...thread } = toItem(move.id, { status, contentItems, success: !move.isError });
        return { ...thread, complete: item };
      }
      case 'plan': {
        const plan = move.entries.map(({ content, status }) => ({
          step: content,
          status: PLAN_STATES[status] ?? status,
        }));
        return { notify: ['turn/plan/updated', { explanation: null, plan }] };
      }
      case 'ask':
        return toQuestion(move);
    }
  });
}

function toQuestion({ approval, reply }: Extract<GoldenMove, { type: 'ask' }>): Step {
  const forgotten = reply === undefined ? { isForgotten: true as const } : {};
  const itemId = approval.toolUseId ?? 'question';
  if (!approval.options.some(({ kind }) => kind === 'answer'))
    return { ask: ['item/commandExecution/requestApproval', { itemId, command: 'x' }], ...forgotten };
  const options = approval.options.map(({ name }) => ({ label: name, description: '' }));
  const questions = [{ id: 'q', header: 'Q', question: approval.title, isOther: true, isSecret: false, options }];
  return { ask: ['item/tool/requestUserInput', { itemId, questions, isBlocking: true }], ...forgotten };
}
