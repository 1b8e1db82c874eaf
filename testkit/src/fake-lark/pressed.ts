import { isJsonObject, type JsonObject } from './json-object.ts';
import { type CardNode, plainView, walk } from './plain-view.ts';

/** What a press sends, and where it leads. */
export interface Pressed {
  action: JsonObject | undefined;
  url: string | undefined;
}

/**
 * Presses something in a card as a person could: found by its words, `element_id` or `name`; not what is disabled, and
 * no form with a required field left empty.
 */
export function pressed(
  card: JsonObject,
  target: string,
  form: Readonly<Record<string, unknown>> | undefined,
  option: string | undefined,
): Pressed {
  const nodes = [...walk(plainView(card).tree)].filter((node) => isControl(node));
  const isTarget = (node: CardNode): boolean =>
    node.text === target || node.elementId === target || node.element['name'] === target;
  const [node, ...others] = nodes.filter(isTarget);
  const offer = nodes.map((each) => each.text || each.elementId || each.tag).join(', ');
  if (node === undefined) throw new Error(`the card has nothing to press that is called ${target}; it has: ${offer}`);
  if (others.length > 0) throw new Error(`the card has ${others.length + 1} things to press that are called ${target}`);
  if (node.element['disabled'] === true) throw new Error(`${target} is disabled`);
  const behaviors = Array.isArray(node.element['behaviors']) ? node.element['behaviors'].filter(isJsonObject) : [];
  const url = behaviors.find((behavior) => behavior['type'] === 'open_url')?.['default_url'] as string | undefined;
  const callback = behaviors.find((behavior) => behavior['type'] === 'callback');
  const isSubmit = node.element['form_action_type'] === 'submit';
  if (callback === undefined && !isSubmit && option === undefined) return { action: undefined, url };
  const value = callback?.['value'];
  const action: JsonObject = { tag: node.tag, timezone: 'Asia/Shanghai' };
  if (value !== undefined) action['value'] = value;
  if (node.element['name'] !== undefined) action['name'] = node.element['name'];
  if (option !== undefined) action['option'] = chosen(node, option);
  if (isSubmit) action['form_value'] = filled([...walk(plainView(card).tree)], node.form!, form ?? {});
  return { action, url };
}

function isControl(node: CardNode): boolean {
  return (
    node.tag === 'button' ||
    node.tag === 'interactive_container' ||
    node.tag === 'overflow' ||
    node.tag.startsWith('select_')
  );
}

function chosen(node: CardNode, option: string): string {
  const options = Array.isArray(node.element['options']) ? node.element['options'].filter(isJsonObject) : [];
  const found = options.find(
    ({ value, text }) => value === option || (isJsonObject(text) && text['content'] === option),
  );
  if (found === undefined) throw new Error(`${node.elementId ?? node.tag} has no option ${option}`);
  return String(found['value']);
}

/** The fields of a form: what the person filled in, else what was there. */
function filled(nodes: readonly CardNode[], form: string, values: Readonly<Record<string, unknown>>): JsonObject {
  const out: JsonObject = {};
  const fields = nodes.filter(
    (node) => node.form === form && node.tag !== 'button' && typeof node.element['name'] === 'string',
  );
  for (const { tag, element } of fields) {
    const name = element['name'] as string;
    const initial =
      element['default_value'] ?? element['initial_option'] ?? element['selected_values'] ?? element['checked'];
    const value = values[name] ?? initial ?? (tag === 'input' ? '' : undefined);
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (element['required'] === true && isEmpty) throw new Error(`the form cannot be sent: ${name} is required`);
    const max = element['max_length'];
    if (typeof value === 'string' && typeof max === 'number' && value.length > max) {
      throw new Error(`the form cannot be sent: ${name} has ${value.length} characters; it takes ${max}`);
    }
    if (value !== undefined) out[name] = value;
  }
  for (const name of Object.keys(values)) {
    if (!fields.some((field) => field.element['name'] === name)) throw new Error(`the form has no field ${name}`);
  }
  return out;
}
