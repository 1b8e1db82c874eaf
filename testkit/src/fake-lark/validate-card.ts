import { type CardProblem, type Complain, onlyKnown } from './card-problem.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { seeMarkdown } from './see-markdown.ts';
import { validateElement } from './validate-element.ts';

/** A card in bytes of JSON. */
const MAX_CARD_BYTES = 30 * 1024;
/** Components and elements of a card, with those inside of others. */
const MAX_CARD_ELEMENTS = 200;
/** Tables of a card, as components and in Markdown. */
const MAX_CARD_TABLES = 5;

const COLORS = [
  'blue',
  'wathet',
  'turquoise',
  'green',
  'yellow',
  'orange',
  'red',
  'carmine',
  'violet',
  'purple',
  'indigo',
  'grey',
  'default',
];
const CONFIG = new Set([
  'streaming_mode',
  'streaming_config',
  'summary',
  'locales',
  'enable_forward',
  'update_multi',
  'width_mode',
  'use_custom_translation',
  'enable_forward_interaction',
  'style',
]);
const BODY = new Set([
  'direction',
  'padding',
  'horizontal_spacing',
  'horizontal_align',
  'vertical_spacing',
  'vertical_align',
  'elements',
]);
const HEADER = new Set(['title', 'subtitle', 'template', 'text_tag_list', 'i18n_text_tag_list', 'icon', 'padding']);

/**
 * What is wrong with a card by the rules of card JSON 2.0; nothing for a card that the platform takes.
 *
 * It was written from the documentation and shares no code with what makes our cards.
 */
export function validateCard(card: unknown): CardProblem[] {
  const problems: CardProblem[] = [];
  const complain: Complain = (path, message, code = 200220, messageCode = 200621) =>
    problems.push({ code, messageCode, path, message });
  if (!isJsonObject(card) || Object.keys(card).length === 0) {
    complain('', 'the card DSL is empty', 300307);
    return problems;
  }
  if (card['schema'] !== '2.0') complain('schema', 'only schema 2.0 is supported', 300303);
  onlyKnown(card, new Set(['schema', 'config', 'card_link', 'header', 'body']), '', complain);
  validateConfig(card['config'], complain);
  validateHeader(card['header'], complain);
  const body = card['body'];
  const elements = isJsonObject(body) ? body['elements'] : undefined;
  if (!Array.isArray(elements)) complain('body.elements', 'is missing or no list');
  else {
    onlyKnown(body as JsonObject, BODY, 'body', complain);
    const ids = new Map<string, string>();
    const names = new Map<string, string>();
    const scene = { depth: 0, form: undefined, parents: [], ids, names, complain };
    elements.forEach((element: unknown, index) => validateElement(element, `body.elements[${index}]`, scene));
  }
  const count = countElements(card['body']) + countElements(card['header']);
  if (count > MAX_CARD_ELEMENTS) {
    complain('body', `element exceeds the limit: ${count} of ${MAX_CARD_ELEMENTS}`, 300305, 11310);
  }
  const tables = countTables(card['body']);
  if (tables > MAX_CARD_TABLES) {
    complain('body', `card table number over limit: ${tables} of ${MAX_CARD_TABLES}`, 300305, 11310);
  }
  const bytes = Buffer.byteLength(JSON.stringify(card));
  if (bytes > MAX_CARD_BYTES) complain('', `card content exceeds limit: ${bytes} of ${MAX_CARD_BYTES} bytes`, 200860);
  return problems;
}

function validateConfig(config: unknown, complain: Complain): void {
  if (config === undefined) return;
  if (!isJsonObject(config)) return complain('config', 'is no object');
  onlyKnown(config, CONFIG, 'config', complain);
  if ((config['update_multi'] ?? true) !== true)
    complain('config.update_multi', 'update_multi property is false', 300302);
  if (!['default', 'compact', 'fill', undefined].includes(config['width_mode'] as string | undefined)) {
    complain('config.width_mode', 'is none of default, compact, fill');
  }
  for (const key of ['streaming_mode', 'enable_forward', 'enable_forward_interaction', 'use_custom_translation']) {
    if (config[key] !== undefined && typeof config[key] !== 'boolean') complain(`config.${key}`, 'is no boolean');
  }
  const summary = config['summary'];
  if (summary !== undefined && (!isJsonObject(summary) || typeof summary['content'] !== 'string')) {
    complain('config.summary', 'has no content');
  }
  const streaming = config['streaming_config'];
  if (streaming === undefined) return;
  if (!isJsonObject(streaming)) return complain('config.streaming_config', 'is no object');
  onlyKnown(
    streaming,
    new Set(['print_frequency_ms', 'print_step', 'print_strategy']),
    'config.streaming_config',
    complain,
  );
  if (!['fast', 'delay', undefined].includes(streaming['print_strategy'] as string | undefined)) {
    complain('config.streaming_config.print_strategy', 'is neither fast nor delay');
  }
  for (const key of ['print_frequency_ms', 'print_step']) {
    const value = streaming[key];
    if (value !== undefined && (!isJsonObject(value) || typeof value['default'] !== 'number')) {
      complain(`config.streaming_config.${key}`, 'has no number for default');
    }
  }
}

function validateHeader(header: unknown, complain: Complain): void {
  if (header === undefined) return;
  if (!isJsonObject(header)) return complain('header', 'is no object');
  onlyKnown(header, HEADER, 'header', complain);
  for (const key of ['title', 'subtitle']) {
    const text = header[key];
    if (text === undefined && key === 'subtitle') continue;
    if (
      !isJsonObject(text) ||
      !['plain_text', 'lark_md'].includes(text['tag'] as string) ||
      typeof text['content'] !== 'string'
    ) {
      complain(`header.${key}`, 'is no plain_text or lark_md with content');
    }
  }
  if (header['template'] !== undefined && !COLORS.includes(header['template'] as string)) {
    complain('header.template', `is none of ${COLORS.join(', ')}`);
  }
  const tags = header['text_tag_list'];
  if (tags !== undefined && (!Array.isArray(tags) || tags.length > 3))
    complain('header.text_tag_list', 'is no list of at most 3');
}

/** Everything with a `tag` counts, also a text inside of a button. */
function countElements(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countElements(item), 0);
  if (!isJsonObject(value)) return 0;
  // What a button sends is the bot's own business.
  const { value: _, ...rest } = value;
  return (typeof rest['tag'] === 'string' ? 1 : 0) + countElements(Object.values(rest));
}

function countTables(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countTables(item), 0);
  if (!isJsonObject(value)) return 0;
  if (value['tag'] === 'table') return 1;
  if (value['tag'] === 'markdown') return seeMarkdown(String(value['content'])).tables;
  return countTables(Object.values(value));
}
