import type { GoldenMove } from '../../backend/golden-moves.fixture.ts';
import { result, say, use } from './claude.fixture.ts';
import type { Step } from './fake-claude.fixture.ts';

/** A golden session as a script for the fake. */
export function toSteps(moves: readonly GoldenMove[]): Step[] {
  return moves.map((move) => {
    switch (move.type) {
      case 'text':
        return say(move.text);
      case 'thinking':
        return { message: [{ type: 'thinking', thinking: move.text, signature: 'c2ln' }] };
      case 'use':
        return use(move.id, move.name, move.input, move.parent);
      case 'result':
        return result(move.id, move.content, move.isError ? { is_error: true } : {});
      case 'plan':
        return use('plan', 'TodoWrite', { todos: move.entries.map((entry) => ({ ...entry, activeForm: '' })) });
      case 'ask':
        return toQuestion(move, moves);
    }
  });
}

function toQuestion({ approval, reply }: Extract<GoldenMove, { type: 'ask' }>, moves: readonly GoldenMove[]): Step {
  const withdraw = reply === undefined ? { withdraw: {} } : {};
  if (approval.options.some(({ kind }) => kind === 'answer')) {
    const options = approval.options.map(({ name }) => ({ label: name }));
    const input = { questions: [{ question: approval.title, options }] };
    return { ask: { tool_name: 'AskUserQuestion', input, tool_use_id: 'question' }, onYes: [], ...withdraw };
  }
  const call = moves.find((move) => move.type === 'use' && move.id === approval.toolUseId);
  const { name, input } = call?.type === 'use' ? call : { name: 'tool', input: {} };
  return { ask: { tool_name: name, input, tool_use_id: approval.toolUseId }, onYes: [], ...withdraw };
}
