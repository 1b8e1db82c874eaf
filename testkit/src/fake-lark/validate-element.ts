import { type Complain, onlyKnown } from './card-problem.ts';
import { CARD_TAGS, type FieldRule, INNER_TAGS, OLD_TAGS } from './card-tags.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** Where an element stands, and what was seen in the card before it. */
export interface ElementScene {
  depth: number;
  form: string | undefined;
  parents: readonly string[];
  ids: Map<string, string>;
  names: Map<string, string>;
  complain: Complain;
}

const ELEMENT_ID = /^[A-Za-z][A-Za-z0-9_]{0,19}$/;
const SIZE = /^(small|medium|large|extra_large|(-?\d{1,2}px)( -?\d{1,2}px){0,3}|0)$/;
const MAX_DEPTH = 5;
/** Where a component cannot stand: inside of these, at whatever depth. */
const NOT_INSIDE: Readonly<Record<string, readonly string[]>> = {
  form: ['form', 'column_set', 'interactive_container', 'collapsible_panel'],
  table: ['form', 'column_set', 'interactive_container'],
};
const ONLY_IN_FORM = new Set(['multi_select_static', 'multi_select_person']);
const IN_FORM_NEED_NAME = new Set([
  'input',
  'button',
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

/** Checks a component and what is inside of it. */
export function validateElement(element: unknown, path: string, scene: ElementScene): void {
  const { complain } = scene;
  if (!isJsonObject(element)) return complain(path, 'is no object');
  const tag = element['tag'];
  if (typeof tag !== 'string') return complain(path, 'has no tag');
  if (OLD_TAGS.has(tag)) {
    return complain(
      path,
      `cards of schema V2 no longer support this capability; ErrorValue: unsupported tag ${tag}`,
      200220,
      200861,
    );
  }
  const rule = CARD_TAGS[tag];
  if (rule === undefined) return complain(path, `not support tag: ${tag}`);
  const parent = scene.parents.at(-1);
  if (INNER_TAGS.has(tag) && !(tag === 'column' && parent === 'column_set')) complain(path, `${tag} cannot stand here`);
  for (const outer of NOT_INSIDE[tag] ?? []) {
    if (scene.parents.includes(outer)) complain(path, `${tag} cannot be nested in ${outer}`);
  }
  if (scene.depth > MAX_DEPTH) complain(path, `is nested more than ${MAX_DEPTH} deep`);
  onlyKnown(element, new Set(Object.keys(rule.fields)), path, complain);
  for (const key of rule.required) if (element[key] === undefined) complain(`${path}.${key}`, `${tag} needs ${key}`);
  noteId(element, path, scene);
  const inside: ElementScene = {
    ...scene,
    depth: scene.depth + (tag === 'column_set' ? 0 : 1),
    parents: [...scene.parents, tag],
    form: tag === 'form' ? String(element['name']) : scene.form,
  };
  for (const [key, fieldRule] of Object.entries(rule.fields)) {
    if (element[key] !== undefined) validateField(element[key], fieldRule, `${path}.${key}`, inside);
  }
  validateControl(tag, element, path, scene);
}

function validateField(value: unknown, rule: FieldRule, path: string, scene: ElementScene): void {
  const { complain } = scene;
  if (typeof rule !== 'string') {
    if (typeof value !== 'string' || !rule.includes(value)) complain(path, `is none of ${rule.join(', ')}`);
    return;
  }
  switch (rule) {
    case 'any':
      return;
    case 'string':
    case 'boolean':
    case 'number':
      if (typeof value !== rule) complain(path, `is no ${rule}`);
      return;
    case 'size':
      if (typeof value !== 'string' || !SIZE.test(value)) complain(path, 'is no size such as 8px');
      return;
    case 'array':
    case 'options':
      if (!Array.isArray(value)) complain(path, 'is no list');
      else if (rule === 'options') value.forEach((option, index) => validateOption(option, `${path}[${index}]`, scene));
      return;
    case 'elements':
    case 'columns':
      if (!Array.isArray(value)) complain(path, 'is no list');
      else value.forEach((child: unknown, index) => validateElement(child, `${path}[${index}]`, scene));
      return;
    case 'behaviors':
      if (!Array.isArray(value)) complain(path, 'is no list');
      else value.forEach((behavior, index) => validateBehavior(behavior, `${path}[${index}]`, complain));
      return;
    default:
      if (!isJsonObject(value)) complain(path, 'is no object');
      else validateObject(value, rule, path, scene);
  }
}

function validateObject(value: JsonObject, rule: string, path: string, scene: ElementScene): void {
  const { complain } = scene;
  if (rule === 'text' || rule === 'title') {
    const tags = rule === 'title' ? ['plain_text', 'markdown', 'lark_md'] : ['plain_text', 'lark_md'];
    if (!tags.includes(value['tag'] as string)) complain(path, `is none of ${tags.join(', ')}`);
    else if (typeof value['content'] !== 'string') complain(`${path}.content`, 'is no string');
    else onlyKnown(value, new Set(Object.keys(CARD_TAGS[value['tag'] as string]!.fields)), path, complain);
    noteId(value, path, scene);
  } else if (rule === 'icon') {
    if (!['standard_icon', 'custom_icon'].includes(value['tag'] as string))
      complain(path, 'is no standard_icon or custom_icon');
    onlyKnown(value, new Set(['tag', 'token', 'color', 'img_key', 'size']), path, complain);
    if (value['tag'] === 'standard_icon' && typeof value['token'] !== 'string') complain(`${path}.token`, 'is missing');
  } else if (rule === 'border') {
    onlyKnown(value, new Set(['color', 'corner_radius']), path, complain);
  } else if (rule === 'confirm') {
    onlyKnown(value, new Set(['title', 'text']), path, complain);
    for (const key of ['title', 'text']) validateField(value[key], 'text', `${path}.${key}`, scene);
  } else if (rule === 'panel-header') {
    const known = [
      'title',
      'background_color',
      'vertical_align',
      'padding',
      'position',
      'width',
      'icon',
      'icon_position',
      'icon_expanded_angle',
    ];
    onlyKnown(value, new Set(known), path, complain);
    if (value['title'] === undefined) complain(`${path}.title`, 'is missing');
    else validateField(value['title'], 'title', `${path}.title`, scene);
    if (value['icon'] !== undefined) validateField(value['icon'], 'icon', `${path}.icon`, scene);
  }
}

function validateOption(option: unknown, path: string, scene: ElementScene): void {
  if (!isJsonObject(option)) return scene.complain(path, 'is no object');
  onlyKnown(option, new Set(['text', 'icon', 'value']), path, scene.complain);
  if (option['text'] !== undefined) validateField(option['text'], 'text', `${path}.text`, scene);
  if (typeof option['value'] !== 'string') scene.complain(`${path}.value`, 'is no string');
}

function validateBehavior(behavior: unknown, path: string, complain: Complain): void {
  if (!isJsonObject(behavior)) return complain(path, 'is no object');
  if (behavior['type'] === 'callback') {
    onlyKnown(behavior, new Set(['type', 'value']), path, complain);
    if (!isJsonObject(behavior['value']) && typeof behavior['value'] !== 'string')
      complain(`${path}.value`, 'is missing');
  } else if (behavior['type'] === 'open_url') {
    onlyKnown(behavior, new Set(['type', 'default_url', 'pc_url', 'ios_url', 'android_url']), path, complain);
    const url = behavior['default_url'];
    if (typeof url !== 'string' || !/^(https?|lark):\/\//.test(url)) complain(`${path}.default_url`, 'is no address');
  } else if (behavior['type'] !== 'form_action') {
    complain(`${path}.type`, 'is none of callback, open_url, form_action');
  }
}

/** What holds for the things that people press and fill in. */
function validateControl(tag: string, element: JsonObject, path: string, scene: ElementScene): void {
  const { complain, form } = scene;
  if (ONLY_IN_FORM.has(tag) && form === undefined) complain(path, `${tag} stands only in a form`);
  if (form !== undefined && IN_FORM_NEED_NAME.has(tag)) {
    const name = element['name'];
    if (typeof name !== 'string' || name === '') complain(`${path}.name`, `${tag} in a form needs a name`);
    else if (scene.names.has(name)) complain(`${path}.name`, `name ${name} is at ${scene.names.get(name)!} already`);
    else scene.names.set(name, path);
  }
  if (tag === 'button') {
    const behaviors = element['behaviors'];
    const does = (Array.isArray(behaviors) && behaviors.length > 0) || element['form_action_type'] !== undefined;
    if (!does) complain(`${path}.behaviors`, 'a button without behaviors does nothing');
    if (element['form_action_type'] !== undefined && form === undefined)
      complain(path, 'a submit button stands in a form');
    if (element['text'] === undefined && element['icon'] === undefined)
      complain(path, 'a button needs a text or an icon');
  }
  if (tag === 'form' && !hasSubmit(element['elements'])) complain(path, 'a form needs a button that submits it');
  if (
    tag === 'input' &&
    typeof element['max_length'] === 'number' &&
    !(element['max_length'] >= 1 && element['max_length'] <= 1000)
  ) {
    complain(`${path}.max_length`, 'is not from 1 to 1000');
  }
}

function hasSubmit(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSubmit);
  if (!isJsonObject(value)) return false;
  return (value['tag'] === 'button' && value['form_action_type'] === 'submit') || hasSubmit(Object.values(value));
}

function noteId(element: JsonObject, path: string, { ids, complain }: ElementScene): void {
  const id = element['element_id'];
  if (id === undefined) return;
  if (typeof id !== 'string' || !ELEMENT_ID.test(id)) {
    complain(`${path}.element_id`, 'begins with a letter and has at most 20 letters, digits and underscores');
  } else if (ids.has(id)) {
    complain(`${path}.element_id`, `duplicate element_id ${id}, also at ${ids.get(id)!}`, 300301, 300301);
  } else {
    ids.set(id, path);
  }
}
