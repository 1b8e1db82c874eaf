import { isJsonObject, type JsonObject, textOr } from './json-object.ts';
import { type SeenMarkdown, seeInline, seeMarkdown } from './see-markdown.ts';

/** A component as a person sees it, with what is inside. */
export interface CardNode {
  tag: string;
  elementId: string | undefined;
  /** Its own words: of a text, a button, the title of a panel, the label of a field. */
  text: string;
  color: string | undefined;
  /** Of a panel: whether it is open at first. */
  isExpanded: boolean | undefined;
  /** Of something to press or fill in, the name in the form around it, if there is one. */
  form: string | undefined;
  /** As it was written. */
  element: JsonObject;
  children: CardNode[];
}

/** A folding panel. */
interface SeenPanel {
  title: string;
  color: string | undefined;
  isExpanded: boolean;
  /** What is inside, folded or not. */
  lines: string[];
  elementId: string | undefined;
}

/** A button. */
interface SeenButton {
  text: string;
  elementId: string | undefined;
  type: string;
  isDisabled: boolean;
  /** Where it leads, if it opens a page. */
  url: string | undefined;
  /** What it sends. */
  value: unknown;
}

/** A card as a person sees it. */
export interface CardView {
  title: string;
  subtitle: string;
  /** Of the title. */
  color: string | undefined;
  /** Beside the title. */
  tags: string[];
  /** Top to bottom, as it is before anybody unfolds a panel: `▸ folded`, `▾ open`, `[button]`. */
  lines: string[];
  /** The same with every panel unfolded. */
  allLines: string[];
  panels: SeenPanel[];
  buttons: SeenButton[];
  /** Fields to fill in, by their names. */
  fields: string[];
  images: string[];
  /** People who are called by it. A card of ours has none. */
  mentions: string[];
  /** Tags in Markdown that the platform does not know. A card of ours has none. */
  unknownTags: string[];
  links: string[];
  /** What the list of chats shows. */
  summary: string;
  /** It says that more is to come. */
  isGenerating: boolean;
  tree: CardNode[];
}

const FIELDS = new Set([
  'input',
  'select_static',
  'multi_select_static',
  'select_person',
  'multi_select_person',
  'date_picker',
  'picker_time',
  'picker_datetime',
  'checker',
  'select_img',
]);

/** What a person sees of a card. */
export function plainView(card: JsonObject): CardView {
  const body = card['body'];
  const elements = isJsonObject(body) && Array.isArray(body['elements']) ? body['elements'] : [];
  const seen: SeenMarkdown = { lines: [], mentions: [], unknownTags: [], links: [], color: undefined, tables: 0 };
  const tree = elements.filter(isJsonObject).map((element) => toNode(element, undefined, seen));
  const header = isJsonObject(card['header']) ? card['header'] : {};
  const config = isJsonObject(card['config']) ? card['config'] : {};
  const nodes = [...walk(tree)];
  const title = textOf(header['title'], seen);
  const lines = (isUnfolded: boolean): string[] => [
    ...(title === '' ? [] : [title]),
    ...tree.flatMap((node) => linesOf(node, isUnfolded)),
  ];
  const summary = isJsonObject(config['summary']) ? String(config['summary']['content']) : '';
  const isGenerating = config['streaming_mode'] === true;
  return {
    title,
    subtitle: textOf(header['subtitle'], seen),
    color: typeof header['template'] === 'string' ? header['template'] : undefined,
    tags: listOf(header['text_tag_list']).map((tag) => textOf(tag['text'], seen)),
    lines: lines(false),
    allLines: lines(true),
    panels: nodes.filter((node) => node.tag === 'collapsible_panel').map(toPanel),
    buttons: nodes.filter((node) => node.tag === 'button').map(toButton),
    fields: nodes.filter((node) => FIELDS.has(node.tag)).map((node) => textOr(node.element['name'], node.elementId)),
    images: nodes.filter((node) => node.tag === 'img').map((node) => String(node.element['img_key'])),
    mentions: seen.mentions,
    unknownTags: seen.unknownTags,
    links: seen.links,
    summary: summary === '' && isGenerating ? '[Generating...]' : summary,
    isGenerating,
    tree,
  };
}

/** Every node of a tree, in the order of reading. */
export function* walk(nodes: readonly CardNode[]): Generator<CardNode> {
  for (const node of nodes) {
    yield node;
    yield* walk(node.children);
  }
}

function toNode(element: JsonObject, form: string | undefined, seen: SeenMarkdown): CardNode {
  const tag = String(element['tag']);
  const inside = tag === 'form' ? String(element['name']) : form;
  const header = isJsonObject(element['header']) ? element['header'] : {};
  const own: SeenMarkdown = { ...seen, color: undefined, lines: [] };
  if (tag === 'person' || tag === 'person_list') seen.mentions.push(textOr(element['user_id']));
  const text = wordsOf(tag, element, header, own);
  const border = isJsonObject(element['border']) ? element['border']['color'] : undefined;
  const icon = isJsonObject(header['icon']) ? header['icon']['color'] : undefined;
  const color = [header['background_color'], element['background_color'], border, own.color, icon].find(
    (value) => typeof value === 'string',
  );
  return {
    tag,
    elementId: typeof element['element_id'] === 'string' ? element['element_id'] : undefined,
    text,
    color,
    isExpanded: tag === 'collapsible_panel' ? element['expanded'] === true : undefined,
    form,
    element,
    children: [...listOf(element['columns']), ...listOf(element['elements'])].map((child) =>
      toNode(child, inside, seen),
    ),
  };
}

function wordsOf(tag: string, element: JsonObject, header: JsonObject, seen: SeenMarkdown): string {
  if (tag === 'markdown') return textOf(element, seen);
  if (tag === 'collapsible_panel') return textOf(header['title'], seen);
  if (tag === 'img') return textOf(element['alt'], seen);
  if (FIELDS.has(tag))
    return textOf(element['label'], seen) || textOf(element['placeholder'], seen) || textOf(element['text'], seen);
  return textOf(element['text'], seen);
}

function textOf(text: unknown, seen: SeenMarkdown): string {
  if (!isJsonObject(text) || typeof text['content'] !== 'string') return '';
  if (text['tag'] === 'plain_text') return text['content'];
  if (text['tag'] === 'lark_md')
    return text['content']
      .split('\n')
      .map((line) => seeInline(line, seen))
      .join('\n');
  const { lines, mentions, unknownTags, links, color } = seeMarkdown(text['content']);
  seen.mentions.push(...mentions);
  seen.unknownTags.push(...unknownTags);
  seen.links.push(...links);
  seen.color ??= color;
  return lines.join('\n');
}

function linesOf(node: CardNode, isUnfolded: boolean): string[] {
  const text = node.text === '' ? [] : node.text.split('\n');
  const below = (): string[] => node.children.flatMap((child) => linesOf(child, isUnfolded));
  switch (node.tag) {
    case 'collapsible_panel': {
      const isOpen = node.isExpanded === true || isUnfolded;
      return [`${isOpen ? '▾' : '▸'} ${node.text}`, ...(isOpen ? below() : [])];
    }
    case 'button':
      return [`[${node.text}]`];
    case 'hr':
      return ['———'];
    case 'img':
      return [`[image ${node.text}]`];
    case 'table':
      return listOf(node.element['rows']).map((row) => Object.values(row).map(String).join(' | '));
    default:
      return FIELDS.has(node.tag) ? [`[${node.text}…]`] : [...text, ...below()];
  }
}

function toPanel(node: CardNode): SeenPanel {
  return {
    title: node.text,
    color: node.color,
    isExpanded: node.isExpanded === true,
    lines: node.children.flatMap((child) => linesOf(child, true)),
    elementId: node.elementId,
  };
}

function toButton(node: CardNode): SeenButton {
  const behaviors = listOf(node.element['behaviors']);
  const url = behaviors.find((behavior) => behavior['type'] === 'open_url')?.['default_url'];
  return {
    text: node.text,
    elementId: node.elementId,
    type: textOr(node.element['type'], 'default'),
    isDisabled: node.element['disabled'] === true,
    url: typeof url === 'string' ? url : undefined,
    value: behaviors.find((behavior) => behavior['type'] === 'callback')?.['value'],
  };
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
