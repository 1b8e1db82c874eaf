import { memo } from 'react';
import { CODE_COLOURS } from './code-kinds.ts';
import type { CodePiece } from './highlighter.ts';

/** One line of code, in colour where the colours are known. */
export const CodeLine = memo(function CodeLine({
  text,
  pieces,
}: {
  text: string;
  pieces: readonly CodePiece[] | undefined;
}) {
  if (pieces === undefined) return text;
  return pieces.map((piece, index) =>
    piece.kind === undefined ? (
      piece.text
    ) : (
      <span key={index} className={CODE_COLOURS[piece.kind]}>
        {piece.text}
      </span>
    ),
  );
});
