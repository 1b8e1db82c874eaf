import { isDeepStrictEqual } from 'node:util';
import type { CardElement } from './cards/card-json.ts';
import type { LarkBody } from './cards/lark-body.ts';

type CardBody = Extract<LarkBody, { type: 'card' }>;

/** What has to be asked of Lark so that one card becomes the other. */
export type CardChange =
  | { type: 'none' }
  /** Only the text of one element differs: Lark types it. */
  | { type: 'text'; elementId: string; content: string }
  | { type: 'whole' };

/** The least that has to be asked of Lark so that a card becomes the other. */
export function planChange(before: CardBody, after: CardBody): CardChange {
  if (!isDeepStrictEqual(before.card.header, after.card.header)) return { type: 'whole' };
  const changes = new Changes();
  changes.compareAll(before.card.body.elements, after.card.body.elements);
  if (changes.isStructural || changes.texts.length > 1) return { type: 'whole' };
  const text = changes.texts[0];
  if (text !== undefined) return { type: 'text', ...text };
  // The summary of a card that streams is written when it ends.
  return before.isStreaming || before.summary === after.summary ? { type: 'none' } : { type: 'whole' };
}

class Changes {
  readonly texts: { elementId: string; content: string }[] = [];
  isStructural = false;

  compareAll(before: readonly CardElement[], after: readonly CardElement[]): void {
    if (before.length !== after.length) {
      this.isStructural = true;
      return;
    }
    for (const [index, element] of after.entries()) {
      this.#compare(before[index]!, element);
      if (this.isStructural) return;
    }
  }

  #compare(before: CardElement, after: CardElement): void {
    if (before === after) return;
    if (before.tag === 'markdown' && after.tag === 'markdown') {
      if (isDeepStrictEqual(before, after)) return;
      const elementId = after.element_id;
      // Lark takes no empty text, and what is more than the content cannot be streamed.
      if (
        elementId !== undefined &&
        after.content !== '' &&
        isDeepStrictEqual({ ...before, content: '' }, { ...after, content: '' })
      )
        this.texts.push({ elementId, content: after.content });
      else this.isStructural = true;
      return;
    }
    if (before.tag === 'collapsible_panel' && after.tag === 'collapsible_panel') {
      if (isDeepStrictEqual({ ...before, elements: [] }, { ...after, elements: [] }))
        this.compareAll(before.elements, after.elements);
      else this.isStructural = true;
      return;
    }
    if (!isDeepStrictEqual(before, after)) this.isStructural = true;
  }
}
