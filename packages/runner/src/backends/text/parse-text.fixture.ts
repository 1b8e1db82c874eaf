import { TerminalText } from './terminal-text.ts';
import type { TextPiece } from './text-calls.ts';
import { TextParser } from './text-parser.ts';
import { TEXT_PRESETS, type TextRules } from './text-rules.ts';

/** A block that a text was turned into, in a form that is short to write. */
export type ParsedBlock =
  | { text: string }
  | { thinking: string }
  | { use: string; name: string; input: Record<string, unknown> }
  | { result: string; content: string; isError?: true };

/** Everything a text says, however its bytes are cut. */
export function parseText(
  pieces: readonly (string | Uint8Array)[],
  rules: TextRules = TEXT_PRESETS.default,
  isCut = false,
): ParsedBlock[] {
  const told: TextPiece[] = [];
  const terminal = new TerminalText();
  const parser = new TextParser({ rules, idPrefix: 'call', onPiece: (piece) => told.push(piece) });
  for (const piece of pieces) parser.push(terminal.push(Buffer.from(piece)));
  parser.push(terminal.end());
  parser.finish(isCut);
  return toBlocks(told);
}

/** The pieces that were told after each push, to see what a reader sees meanwhile. */
export function parseLive(pieces: readonly string[], rules: TextRules = TEXT_PRESETS.default): TextPiece[][] {
  let told: TextPiece[] = [];
  const parser = new TextParser({ rules, idPrefix: 'call', onPiece: (piece) => told.push(piece) });
  return pieces.map((piece) => {
    told = [];
    parser.push(piece);
    return told;
  });
}

function toBlocks(pieces: readonly TextPiece[]): ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  const outputs = new Map<string, string>();
  let isOpen = false;
  for (const piece of pieces) {
    if (piece.type === 'text' || piece.type === 'thinking') {
      const last = isOpen ? blocks.at(-1) : undefined;
      if (last !== undefined && piece.type in last) Object.assign(last, { [piece.type]: textOf(last) + piece.delta });
      else blocks.push(piece.type === 'text' ? { text: piece.delta } : { thinking: piece.delta });
      isOpen = true;
      continue;
    }
    isOpen = false;
    if (piece.type === 'tool-use' && !piece.isOpen)
      blocks.push({ use: piece.id, name: piece.name, input: piece.input });
    if (piece.type === 'tool-output') outputs.set(piece.id, (outputs.get(piece.id) ?? '') + piece.delta);
    if (piece.type === 'tool-result')
      blocks.push({
        result: piece.id,
        content: piece.content ?? outputs.get(piece.id) ?? '',
        ...(piece.isError === true ? { isError: true } : {}),
      });
  }
  return blocks;
}

function textOf(block: ParsedBlock): string {
  return 'text' in block ? block.text : 'thinking' in block ? block.thinking : '';
}
