import type { CardElement, CardJson, ImageElement } from './card-json.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** What is only known when a card is sent. */
export interface CardFilling {
  /** What the button with this place in the post brings back (`Delivery.actionData`). */
  actionData(index: number): string;
  /** The key of an uploaded image by the `url` of its block; none where it could not be uploaded. */
  imageKey(url: string): string | undefined;
  /** Why an image has no key, for people. */
  imageProblem?(url: string): string | undefined;
}

/** The attachments that a card shows as images, each once: they are uploaded before it is filled. */
export function imagesOf(card: CardJson): string[] {
  const urls = new Set<string>();
  const look = (elements: readonly CardElement[]): void => {
    for (const element of elements) {
      if (element.tag === 'img' && element.dragoman_attachment !== undefined) urls.add(element.dragoman_attachment);
      for (const inner of insides(element)) look(inner);
    }
  };
  look(card.body.elements);
  return [...urls];
}

/**
 * The card as it is sent: each button with what it brings back, each image with its key. An image without a key becomes
 * a line with its name, because Lark refuses the whole card for one key that it does not know.
 */
export function fillCard(card: CardJson, filling: CardFilling): CardJson {
  return { ...card, body: { ...card.body, elements: fillAll(card.body.elements, filling) } };
}

function fillAll(elements: readonly CardElement[], filling: CardFilling): CardElement[] {
  return elements.map((element) => fill(element, filling));
}

function fill(element: CardElement, filling: CardFilling): CardElement {
  switch (element.tag) {
    case 'img':
      return element.dragoman_attachment === undefined ? element : fillImage(element, filling);
    case 'button':
      return {
        ...element,
        behaviors: element.behaviors.map((behavior) =>
          behavior.type === 'callback' && typeof behavior.value.action === 'number'
            ? { type: 'callback', value: { action: filling.actionData(behavior.value.action) } }
            : behavior,
        ),
      };
    case 'collapsible_panel':
    case 'form':
      return { ...element, elements: fillAll(element.elements, filling) };
    case 'column_set':
      return {
        ...element,
        columns: element.columns.map((column) => ({ ...column, elements: fillAll(column.elements, filling) })),
      };
    default:
      return element;
  }
}

function fillImage(
  { dragoman_attachment, ...image }: ImageElement,
  { imageKey, imageProblem }: CardFilling,
): CardElement {
  const key = imageKey(dragoman_attachment!);
  if (key !== undefined) return { ...image, img_key: key };
  const id = image.element_id === undefined ? {} : { element_id: image.element_id };
  const problem = imageProblem?.(dragoman_attachment!);
  const why = problem === undefined ? '' : ` (${problem})`;
  return { tag: 'markdown', ...id, content: `🖼 ${escapeMarkdown(image.alt.content + why)}` };
}

function insides(element: CardElement): readonly (readonly CardElement[])[] {
  if (element.tag === 'collapsible_panel' || element.tag === 'form') return [element.elements];
  if (element.tag === 'column_set') return element.columns.map((column) => column.elements);
  return [];
}
