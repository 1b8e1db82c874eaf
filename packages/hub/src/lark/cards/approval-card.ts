import {
  askedInText,
  type AskedPart,
  isChoice,
  knownCall,
  mayAnswer,
  optionName,
  savedRules,
  type ShownApproval,
  trimEndOf,
} from '@dragoman/protocol';
import type { Action } from '../../channels/action.ts';
import type { Scene } from '../../channels/channel.ts';
import { diffText } from './call-output.ts';
import { markdown, small } from './call-panel.ts';
import { buttonsRow, callbackButton, LABEL_CHARS } from './card-buttons.ts';
import type { ButtonElement, CardElement, CardJson, FormElement } from './card-json.ts';
import { isWithinLimits } from './card-limits.ts';
import { type CardWords, WORDS } from './card-words.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { decisionOf, decisionText } from './decision-text.ts';
import { type Detail, DETAILS, FULL_DETAIL } from './detail.ts';
import { codeBlock, escapeMarkdown, inlineCode } from './escape-markdown.ts';
import { cardOf } from './lay-out-cards.ts';
import { linkButton } from './turn-footer.ts';

/** The field that an answer in words is written in; `form_value` brings it back under this name. */
const ANSWER_FIELD = 'answer';

/**
 * A question as a card: what it is about, what would be done, and the agent's own options as buttons. Once it is decided
 * the buttons are gone and it says who decided what. Where a card has no room for all that is asked, a no is left and the
 * way to the console.
 */
export function approvalCard(
  given: ShownApproval,
  { view, language, link }: Pick<Scene, 'view' | 'language' | 'link'>,
): { card: CardJson; summary: string; actions: Action[] } {
  const words = WORDS[language];
  const approval = knownCall(given, view);
  const { colour, word } = decisionOf(approval);
  const isQuestion = approval.toolUseId === undefined || approval.options.every(({ kind }) => kind === 'answer');
  const asks = isQuestion ? words.asksQuestion : words.asks;
  const header: CardJson['header'] = {
    template: colour,
    title: {
      tag: 'plain_text',
      content: approval.decided === undefined ? `✋ ${asks}` : `${MARKS[word]} ${words[word]}`,
    },
    subtitle: { tag: 'plain_text', content: words.inSession(cleanLine(view.title, 80)) },
  };
  const links = link === undefined ? [] : [linkButton(link, words)];
  const asked = askedInText(approval);
  const whole = decisionElements(approval, view.info.id, words, true);
  const card = cardOf([...asked.parts.flatMap(partElements), ...whole.elements, ...links], header);
  const summary = `${header.title.content}: ${cleanLine(approval.title, 80)}`;
  if (asked.isWhole && isWithinLimits(card)) return { card, summary, actions: whole.actions };
  const short = decisionElements(approval, view.info.id, words, false);
  for (const detail of [FULL_DETAIL, ...DETAILS]) {
    const cut = cardOf([...shortElements(approval, words, detail), ...short.elements, ...links], header);
    if (isWithinLimits(cut) || detail === DETAILS.at(-1)) return { card: cut, summary, actions: short.actions };
  }
  throw new TypeError('There is always a last detail.');
}

const MARKS = { waiting: '✋', allowed: '✅', answered: '✅', denied: '🚫', withdrawn: '⏹' } as const;

/** What is asked, whole. Words of an agent stand there as they are: a link or a comment of Markdown would hide some. */
function partElements({ type, label, text, why }: AskedPart): CardElement[] {
  const name = label === undefined ? '' : `**${escapeMarkdown(label)}**`;
  switch (type) {
    case 'title':
      return markdown(undefined, `**${escapeMarkdown(text)}**`);
    case 'reason':
      return markdown(undefined, escapeMarkdown(text));
    case 'command':
      return markdown(undefined, codeBlock(text, 'bash'));
    case 'change':
      return markdown(undefined, `${name}\n${codeBlock(trimEndOf(text, '\n'), 'diff')}`);
    case 'field':
    case 'subject': {
      const lead = type === 'field' ? `${name}:` : '•';
      const said = /\n| {2}|\t/.test(text) ? `\n${codeBlock(text)}` : ` ${inlineCode(text)}`;
      return markdown(undefined, `${lead}${said}${why === undefined ? '' : `\n${escapeMarkdown(why)}`}`);
    }
  }
}

/** The beginning of what is asked; there is no yes beside it. */
function shortElements(
  { title, reason = '', diffs = [] }: ShownApproval,
  words: CardWords,
  detail: Detail,
): CardElement[] {
  const said = escapeMarkdown(cleanLine(title, detail.title * 3));
  const share = detail.diff / Math.min(8, diffs.length);
  return [
    ...markdown(undefined, said === '' ? '' : `**${said}**`),
    ...markdown(undefined, escapeMarkdown(cleanLine(reason, 1000))),
    ...diffs.slice(0, 8).flatMap((diff) => markdown(undefined, diffText(diff, share, words))),
  ];
}

/** How it is answered, or what was answered. */
function decisionElements(
  approval: ShownApproval,
  sessionId: string,
  words: CardWords,
  isWhole: boolean,
): { elements: CardElement[]; actions: Action[] } {
  const actions: Action[] = [];
  if (approval.decided !== undefined)
    return { elements: [small(`👤 ${decisionText(approval, words, 1000)}`)], actions };
  return { elements: choiceElements(approval, sessionId, words, { actions, isWhole }), actions };
}

function choiceElements(
  approval: ShownApproval,
  sessionId: string,
  words: CardWords,
  { actions, isWhole }: { actions: Action[]; isWhole: boolean },
): CardElement[] {
  const about = { sessionId, approvalId: approval.id };
  const buttons: ButtonElement[] = [];
  const add = (label: string, action: Action, look: ButtonElement['type']) => {
    buttons.push(callbackButton(label, actions.push(action) - 1, look));
  };
  const offered = approval.options.filter((option) => mayAnswer(option, isWhole)).slice(0, 20);
  for (const option of offered) {
    const isNo = option.kind.startsWith('reject');
    const look = isNo ? 'danger' : buttons.length === 0 ? 'primary' : 'default';
    add(optionName(option, words.language), { type: 'decide', ...about, optionId: option.id }, look);
  }
  const yes = offered.find(({ kind }) => kind === 'allow_once') ?? offered.find(({ kind }) => kind === 'allow_always');
  const rules = yes === undefined ? [] : savedRules(approval);
  if (yes !== undefined && rules.length > 0)
    add(words.always, { type: 'decide', ...about, optionId: yes.id, always: true }, 'default');
  if (!approval.options.some(({ kind }) => kind.startsWith('reject')))
    add(words.deny, { type: 'reject', ...about }, 'danger');
  const long = offered.map((option) => optionName(option, words.language)).filter((name) => name.length > LABEL_CHARS);
  const takesText = approval.allowsText === true && (isWhole || !isChoice(approval));
  return [
    ...(isWhole ? [] : [small(words.notWhole)]),
    ...long.flatMap((name) => markdown(undefined, escapeMarkdown(cleanText(name)))),
    ...(rules.length > 0 ? [small(`${words.alwaysSaves} ${rules.map(inlineCode).join(' ')}`)] : []),
    ...buttonsRow(buttons),
    ...(takesText ? [answerForm(actions.push({ type: 'answer', ...about }) - 1, words)] : []),
  ];
}

function answerForm(action: number, words: CardWords): FormElement {
  return {
    tag: 'form',
    name: 'answer_form',
    elements: [
      {
        tag: 'input',
        name: ANSWER_FIELD,
        input_type: 'multiline_text',
        rows: 3,
        max_length: 1000,
        placeholder: { tag: 'plain_text', content: words.answerHint },
        required: true,
        width: 'fill',
      },
      { ...callbackButton(words.sendAnswer, action, 'primary'), form_action_type: 'submit', name: 'answer_send' },
    ],
  };
}
