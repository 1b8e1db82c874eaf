import type { BlockWriter } from '../../backend/block-writer.ts';
import type { TextPiece } from './text-calls.ts';

/** Puts the pieces of a text into blocks. */
export function answerWriter(writer: BlockWriter): (piece: TextPiece) => void {
  return (piece) => {
    switch (piece.type) {
      case 'text':
        writer.text(piece.delta);
        return;
      case 'thinking':
        writer.thinking(piece.delta);
        return;
      case 'end':
        writer.nextBlock();
        return;
      case 'tool-use': {
        const { id, name, input, title, kind, isOpen } = piece;
        writer.toolUse({ id, name, input, title, kind }, { isOpen });
        return;
      }
      case 'tool-output':
        writer.toolOutput(piece.id, piece.delta);
        return;
      case 'tool-result':
        writer.toolResult({
          tool_use_id: piece.id,
          ...(piece.content === undefined ? {} : { content: piece.content }),
          ...(piece.isError === undefined ? {} : { is_error: piece.isError }),
        });
    }
  };
}
