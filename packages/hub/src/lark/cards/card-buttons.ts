import type { ButtonElement, ColumnsElement } from './card-json.ts';
import { cleanLine } from './clean-text.ts';

/** What stands on a button at most. */
export const LABEL_CHARS = 80;

/** A button that brings back the action at this place of the post. */
export function callbackButton(label: string, action: number, look: ButtonElement['type'] = 'default'): ButtonElement {
  const text = cleanLine(label, LABEL_CHARS);
  return {
    tag: 'button',
    text: { tag: 'plain_text', content: text === '' ? '…' : text },
    type: look,
    behaviors: [{ type: 'callback', value: { action } }],
  };
}

/** Buttons side by side; those that find no room are in the next line. */
export function buttonsRow(buttons: readonly ButtonElement[]): ColumnsElement[] {
  if (buttons.length === 0) return [];
  return [
    {
      tag: 'column_set',
      flex_mode: 'flow',
      horizontal_spacing: '8px',
      columns: buttons.map((button) => ({ tag: 'column', width: 'auto', elements: [button] })),
    },
  ];
}
