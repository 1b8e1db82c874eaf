import type { FileDiff } from '@dragoman/protocol';
import type { Language } from '../channels/channel.ts';
import { codeSpan, oneLine, openText, shortened } from './rich-text.ts';
import type { Block } from './telegram-body.ts';
import { TELEGRAM_WORDS } from './telegram-words.ts';

const DIFF_CHARS = 900;
const DIFF_LINES = 30;

/** Changes as code; the names of the files stand above it. */
export function diffBlocks(diffs: readonly FileDiff[], language: Language, limit: number = DIFF_CHARS): Block[] {
  const blocks: Block[] = [];
  let left = limit;
  for (const { path, unified } of diffs.slice(0, 8)) {
    const lines = openText(unified.slice(0, 20_000))
      .split('\n')
      .filter((line) => !/^(?:--- |\+\+\+ |diff |index |Index: |={10})/.test(line));
    const name = [{ text: '      📝 ' }, codeSpan(oneLine(path, 120))];
    // Of a file without a line there is nothing to show but that it came to be.
    if (/^\s*new file mode \d+\s*$/.test(lines.join('\n'))) {
      blocks.push({ type: 'text', spans: [...name, { text: ` · ${TELEGRAM_WORDS[language].newEmptyFile}` }] });
      continue;
    }
    const added = lines.filter((line) => line.startsWith('+')).length;
    const removed = lines.filter((line) => line.startsWith('-')).length;
    blocks.push({
      type: 'text',
      spans: [...name, { text: ` +${added} −${removed}` }],
    });
    const text = shortened(lines.slice(0, DIFF_LINES).join('\n').trimEnd(), Math.max(0, left));
    if (text !== '' && left > 80)
      blocks.push({ type: 'pre', text: lines.length > DIFF_LINES ? `${text}\n…` : text, language: 'diff' });
    left -= text.length;
  }
  return blocks;
}
