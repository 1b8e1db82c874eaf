import {
  type ContentBlockOf,
  optionName,
  type SessionView,
  type ShownApproval,
  type ShownBlock,
} from '@dragoman/protocol';
import type { Action } from '../../channels/action.ts';
import type { Scene } from '../../channels/channel.ts';
import { callInput } from './call-input.ts';
import { callName } from './call-title.ts';
import { diffText } from './call-output.ts';
import { markdown, small } from './call-panel.ts';
import { buttonsRow, callbackButton } from './card-buttons.ts';
import type { ButtonElement, CardElement, CardJson, FormElement } from './card-json.ts';
import { isWithinLimits } from './card-limits.ts';
import { type CardWords, WORDS } from './card-words.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { decisionOf, decisionText } from './decision-text.ts';
import { type Detail, DETAILS, FULL_DETAIL } from './detail.ts';
import { escapeMarkdown, inlineCode } from './escape-markdown.ts';
import { cardOf } from './lay-out-cards.ts';
import { larkMarkdown } from './markdown.ts';
import { linkButton } from './turn-footer.ts';

/** The field that an answer in words is written in; `form_value` brings it back under this name. */
const ANSWER_FIELD = 'answer';

/**
 * A question as a card: what it is about, what would be done, and the agent's own options as buttons. Once it is decided
 * the buttons are gone and it says who decided what.
 */
export function approvalCard(
  approval: ShownApproval,
  { view, language, link }: Pick<Scene, 'view' | 'language' | 'link'>,
): { card: CardJson; summary: string; actions: Action[] } {
  const words = WORDS[language];
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
  const actions: Action[] = [];
  const choices = approval.decided === undefined ? choiceElements(approval, view.info.id, words, actions) : [];
  const tail = approval.decided === undefined ? choices : [small(`👤 ${decisionText(approval, words, 1000)}`)];
  const links = link === undefined ? [] : [linkButton(link, words)];
  const use = approval.toolUseId === undefined ? undefined : findUse(view, approval.toolUseId);
  let card = cardOf([]);
  for (const detail of [FULL_DETAIL, ...DETAILS]) {
    card = cardOf([...aboutElements(approval, use, words, detail), ...tail, ...links], header);
    if (isWithinLimits(card)) break;
  }
  return { card, summary: `${header.title.content}: ${cleanLine(approval.title, 80)}`, actions };
}

const MARKS = { waiting: '✋', allowed: '✅', answered: '✅', denied: '🚫', withdrawn: '⏹' } as const;

function aboutElements(
  { title, reason, diffs = [] }: ShownApproval,
  use: (ShownBlock & { block: ContentBlockOf<'tool_use'> }) | undefined,
  words: CardWords,
  detail: Detail,
): CardElement[] {
  const said = escapeMarkdown(cleanLine(title, detail.title * 3));
  const name = use === undefined ? '' : callName(use.block, words, detail.title);
  return [
    ...markdown(undefined, said === '' ? name : `**${said}**`),
    ...markdown(undefined, larkMarkdown(cleanText((reason ?? '').slice(0, 1000)))),
    ...markdown(
      undefined,
      use === undefined ? '' : callInput(use, words, { bytes: detail.input, hasDiffs: diffs.length > 0 }),
    ),
    ...diffs
      .slice(0, 8)
      .flatMap((diff) => markdown(undefined, diffText(diff, detail.diff / Math.min(8, diffs.length), words))),
  ];
}

function choiceElements(
  approval: ShownApproval,
  sessionId: string,
  words: CardWords,
  actions: Action[],
): CardElement[] {
  const about = { sessionId, approvalId: approval.id };
  const buttons: ButtonElement[] = [];
  const add = (label: string, action: Action, look: ButtonElement['type']) => {
    buttons.push(callbackButton(label, actions.push(action) - 1, look));
  };
  for (const option of approval.options.slice(0, 20)) {
    const isNo = option.kind.startsWith('reject');
    const look = isNo ? 'danger' : buttons.length === 0 ? 'primary' : 'default';
    add(optionName(option, words.language), { type: 'decide', ...about, optionId: option.id }, look);
  }
  const yes =
    approval.options.find(({ kind }) => kind === 'allow_once') ??
    approval.options.find(({ kind }) => kind === 'allow_always');
  const { always = [] } = approval;
  const hasAlways = always.length > 0 && approval.question !== undefined && yes !== undefined;
  if (hasAlways) add(words.always, { type: 'decide', ...about, optionId: yes.id, always: true }, 'default');
  if (!approval.options.some(({ kind }) => kind.startsWith('reject')))
    add(words.deny, { type: 'reject', ...about }, 'danger');
  const rules = always.slice(0, 8).map(({ tool, pattern }) => inlineCode(cleanLine(`${tool} ${pattern}`, 120)));
  return [
    ...(hasAlways ? [small(`${words.alwaysSaves} ${rules.join(' ')}`)] : []),
    ...buttonsRow(buttons),
    ...(approval.allowsText === true ? [answerForm(actions.push({ type: 'answer', ...about }) - 1, words)] : []),
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

/** The call that a question is about. Newest first: it is most often the one that was made just now. */
function findUse(
  view: SessionView,
  toolUseId: string,
): (ShownBlock & { block: ContentBlockOf<'tool_use'> }) | undefined {
  for (const { blocks } of view.messages.toReversed())
    for (const shown of blocks) {
      const { block } = shown;
      if (block.type === 'tool_use' && block.id === toolUseId) return { ...shown, block };
    }
  return undefined;
}
