/**
 * What a field of a component may hold: a kind of value, or one of the words listed.
 *
 * `text` is a plain_text or lark_md object, `title` may be markdown too, `elements` are components below this one.
 */
export type FieldRule =
  | 'string'
  | 'boolean'
  | 'number'
  | 'object'
  | 'array'
  | 'any'
  | 'text'
  | 'title'
  | 'icon'
  | 'size'
  | 'elements'
  | 'columns'
  | 'behaviors'
  | 'options'
  | 'confirm'
  | 'panel-header'
  | 'border'
  | readonly string[];

/** A component of card JSON 2.0. A field that is not listed is refused: the platform does so since 2.0. */
export interface TagRule {
  fields: Readonly<Record<string, FieldRule>>;
  required: readonly string[];
}

const DIRECTION = ['vertical', 'horizontal'] as const;
const LAYOUT = {
  direction: DIRECTION,
  horizontal_align: ['left', 'center', 'right'],
  vertical_align: ['top', 'center', 'bottom'],
  horizontal_spacing: 'size',
  vertical_spacing: 'size',
  padding: 'size',
} as const satisfies Record<string, FieldRule>;
const EVERY = { tag: 'string', element_id: 'string', margin: 'size' } as const satisfies Record<string, FieldRule>;
const TEXT = {
  content: 'string',
  i18n_content: 'object',
  text_size: 'string',
  text_color: 'string',
  text_align: ['left', 'center', 'right'],
  lines: 'number',
} as const satisfies Record<string, FieldRule>;
const CONTROL = {
  name: 'string',
  required: 'boolean',
  disabled: 'boolean',
  width: 'string',
  placeholder: 'text',
  value: 'any',
  confirm: 'confirm',
  behaviors: 'behaviors',
} as const satisfies Record<string, FieldRule>;
const SELECT = {
  ...CONTROL,
  type: ['default', 'text'],
  options: 'options',
  initial_index: 'number',
  initial_option: 'string',
  selected_values: 'array',
} as const satisfies Record<string, FieldRule>;

/** The components and elements that a card can be made of. */
export const CARD_TAGS: Readonly<Record<string, TagRule>> = {
  plain_text: rule(TEXT, ['content']),
  lark_md: rule(TEXT, ['content']),
  markdown: rule({ ...TEXT, icon: 'icon' }, ['content']),
  div: rule({ text: 'text', icon: 'icon', width: 'string' }, []),
  hr: rule({}, []),
  img: rule(
    {
      img_key: 'string',
      alt: 'text',
      title: 'text',
      corner_radius: 'string',
      scale_type: ['crop_center', 'fit_horizontal', 'crop_top'],
      size: 'string',
      transparent: 'boolean',
      preview: 'boolean',
      mode: 'string',
      custom_width: 'number',
      compact_width: 'boolean',
    },
    ['img_key'],
  ),
  img_combination: rule(
    { combination_mode: 'string', combination_transparent: 'boolean', corner_radius: 'string', img_list: 'array' },
    ['combination_mode', 'img_list'],
  ),
  person: rule({ user_id: 'string', size: 'string', show_avatar: 'boolean', show_name: 'boolean', style: 'string' }, [
    'user_id',
  ]),
  person_list: rule(
    {
      persons: 'array',
      size: 'string',
      lines: 'number',
      show_avatar: 'boolean',
      show_name: 'boolean',
      drop_invalid_user_id: 'boolean',
      icon: 'icon',
      ud_icon: 'icon',
    },
    ['persons'],
  ),
  chart: rule(
    { chart_spec: 'object', aspect_ratio: 'string', color_theme: 'string', height: 'string', preview: 'boolean' },
    ['chart_spec'],
  ),
  table: rule(
    {
      columns: 'array',
      rows: 'array',
      page_size: 'number',
      row_height: 'string',
      row_max_height: 'string',
      freeze_first_column: 'boolean',
      header_style: 'object',
    },
    ['columns', 'rows'],
  ),
  column_set: rule(
    {
      columns: 'columns',
      horizontal_spacing: 'size',
      horizontal_align: LAYOUT.horizontal_align,
      flex_mode: ['none', 'stretch', 'flow', 'bisect', 'trisect'],
      background_style: 'string',
      action: 'object',
    },
    ['columns'],
  ),
  column: rule(
    {
      ...LAYOUT,
      elements: 'elements',
      background_style: 'string',
      width: 'string',
      weight: 'number',
      action: 'object',
    },
    [],
  ),
  form: rule({ ...LAYOUT, name: 'string', elements: 'elements' }, ['name', 'elements']),
  interactive_container: rule(
    {
      ...LAYOUT,
      elements: 'elements',
      behaviors: 'behaviors',
      width: 'string',
      height: 'string',
      background_style: 'string',
      has_border: 'boolean',
      border_color: 'string',
      corner_radius: 'string',
      disabled: 'boolean',
      disabled_tips: 'text',
      hover_tips: 'text',
      confirm: 'confirm',
    },
    ['behaviors', 'elements'],
  ),
  collapsible_panel: rule(
    {
      ...LAYOUT,
      expanded: 'boolean',
      background_color: 'string',
      header: 'panel-header',
      border: 'border',
      elements: 'elements',
    },
    ['header', 'elements'],
  ),
  input: rule(
    {
      ...CONTROL,
      default_value: 'string',
      max_length: 'number',
      input_type: ['text', 'multiline_text', 'password'],
      show_icon: 'boolean',
      rows: 'number',
      auto_resize: 'boolean',
      max_rows: 'number',
      label: 'text',
      label_position: ['top', 'left'],
      fallback: 'object',
    },
    [],
  ),
  button: rule(
    {
      type: [
        'default',
        'primary',
        'danger',
        'text',
        'primary_text',
        'danger_text',
        'primary_filled',
        'danger_filled',
        'laser',
      ],
      size: ['tiny', 'small', 'medium', 'large'],
      width: 'string',
      text: 'text',
      icon: 'icon',
      hover_tips: 'text',
      disabled: 'boolean',
      disabled_tips: 'text',
      confirm: 'confirm',
      behaviors: 'behaviors',
      name: 'string',
      required: 'boolean',
      form_action_type: ['submit', 'reset'],
    },
    [],
  ),
  overflow: rule({ width: 'string', options: 'array', value: 'any', confirm: 'confirm', behaviors: 'behaviors' }, [
    'options',
  ]),
  select_static: rule(SELECT, ['options']),
  multi_select_static: rule(SELECT, ['options']),
  select_person: rule(SELECT, []),
  multi_select_person: rule(SELECT, []),
  date_picker: rule({ ...CONTROL, initial_date: 'string' }, []),
  picker_time: rule({ ...CONTROL, initial_time: 'string' }, []),
  picker_datetime: rule({ ...CONTROL, initial_datetime: 'string' }, []),
  select_img: rule(
    {
      ...CONTROL,
      options: 'array',
      multi_select: 'boolean',
      layout: 'string',
      aspect_ratio: 'string',
      can_preview: 'boolean',
      style: 'string',
      disabled_tips: 'text',
    },
    ['options'],
  ),
  checker: rule(
    {
      ...CONTROL,
      checked: 'boolean',
      text: 'text',
      overall_checkable: 'boolean',
      checked_style: 'object',
      button_area: 'object',
      padding: 'size',
      hover_tips: 'text',
      disabled_tips: 'text',
    },
    [],
  ),
};

/** What version 1 had and 2.0 has not any more. */
export const OLD_TAGS: ReadonlySet<string> = new Set(['action', 'note', 'actions', 'field']);

/** What stands inside of other components and never alone. */
export const INNER_TAGS: ReadonlySet<string> = new Set(['plain_text', 'lark_md', 'column']);

function rule(fields: Readonly<Record<string, FieldRule>>, required: readonly string[]): TagRule {
  return { fields: { ...EVERY, ...fields }, required };
}
