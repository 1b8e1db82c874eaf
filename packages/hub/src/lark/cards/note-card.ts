import type { Action } from '../../channels/action.ts';
import type { Language } from '../../channels/channel.ts';
import type { Note } from '../../channels/note.ts';
import { markdown, small } from './call-panel.ts';
import { buttonsRow, callbackButton } from './card-buttons.ts';
import type { CardJson } from './card-json.ts';
import { MOST_TABLES } from './card-limits.ts';
import { WORDS } from './card-words.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { cutText } from './cut-text.ts';
import { drawnText } from './drawn-text.ts';
import { cardOf } from './lay-out-cards.ts';

const LOOKS = { primary: 'primary', danger: 'danger' } as const;
const MOST_BUTTONS = 30;

/** What the program itself says, as a small card. */
export function noteCard(
  { text, buttons = [] }: Note,
  language: Language,
): { card: CardJson; summary: string; actions: Action[] } {
  const drawn = drawnText();
  const cut = cutText(cleanText(text), 0, (paragraph) => drawn.costOf(paragraph));
  const actions: Action[] = [];
  const rows = buttons.map((row) =>
    row
      .filter(() => actions.length < MOST_BUTTONS)
      .map(({ label, action, look }) =>
        callbackButton(label, actions.push(action) - 1, look === undefined ? 'default' : LOOKS[look]),
      ),
  );
  const card = cardOf([
    ...markdown(undefined, drawn.markdownOf(cut.piece, { left: MOST_TABLES })),
    ...(cut.rest === '' ? [] : [small(`… ${WORDS[language].textLeftOut}`)]),
    ...rows.flatMap((row) => buttonsRow(row)),
  ]);
  const [line = ''] = text.trim().split('\n', 1);
  return { card, summary: cleanLine(line.replaceAll(/[*_~`#>\\]/g, ''), 80), actions };
}

/** What is left of a post whose part was taken out of the session. */
export function withdrawnCard(language: Language): { card: CardJson; summary: string } {
  const { withdrawnPost } = WORDS[language];
  return { card: cardOf([small(`<font color='grey'>${withdrawnPost}</font>`)]), summary: withdrawnPost };
}
