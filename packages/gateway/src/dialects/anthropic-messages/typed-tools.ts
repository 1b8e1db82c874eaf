import type { ToolDefinition } from '@dragoman/protocol';
import type { ToolEntry } from '../../tools/offered-tools.ts';

/**
 * Tools that Anthropic's own models know by a dated type and that run in the client: what they take, for models that must
 * be told.
 */
export function typedToolDefinition(entry: ToolEntry): ToolDefinition | undefined {
  const [, kind = '', date = ''] = /^(.+?)_(\d{8})$/.exec(entry.type ?? '') ?? [];
  const maker = Object.hasOwn(MAKERS, kind) ? MAKERS[kind] : undefined;
  return maker?.(entry, Number(date));
}

const MAKERS: Readonly<Record<string, (entry: ToolEntry, date: number) => ToolDefinition>> = {
  bash: (entry) => ({
    name: entry.name || 'bash',
    description: 'Runs a command in a bash session that goes on from call to call, and returns what it printed.',
    inputSchema: {
      type: 'object',
      properties: {
        command: text('The command. Needed unless the session is restarted.'),
        restart: { type: 'boolean', description: 'True starts the session anew.' },
      },
    },
  }),
  text_editor: (entry, date) => ({
    name: entry.name || (date < NEWER_EDITOR ? 'str_replace_editor' : 'str_replace_based_edit_tool'),
    description: 'Shows and edits text files. str_replace needs an old_str that stands in the file exactly once.',
    inputSchema: {
      type: 'object',
      properties: {
        command: oneOf('view', 'create', 'str_replace', 'insert', ...(date < NEWER_EDITOR ? ['undo_edit'] : [])),
        path: text('The file, or a folder to view.'),
        ...EDITING,
        ...(date < NEWER_EDITOR ? {} : { insert_text: text('For insert: what to insert.') }),
      },
      required: ['command', 'path'],
    },
  }),
  memory: (entry) => ({
    name: entry.name || 'memory',
    description:
      'Keeps notes in files under /memories, which are there again in later conversations. Look at them before you begin, and write down what will be of use.',
    inputSchema: {
      type: 'object',
      properties: {
        command: oneOf('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
        path: text('The file or folder; not for rename.'),
        ...EDITING,
        insert_text: text('For insert: what to insert.'),
        old_path: text('For rename: what to rename.'),
        new_path: text('For rename: its new path.'),
      },
      required: ['command'],
    },
  }),
  computer: (entry, date) => ({
    name: entry.name || 'computer',
    description: `Uses the screen, mouse and keyboard of a computer. The screen is ${String(entry['display_width_px'])} pixels wide and ${String(entry['display_height_px'])} high. Take a screenshot to see what an action did.`,
    inputSchema: {
      type: 'object',
      properties: {
        action: oneOf(
          ...FIRST_ACTIONS,
          ...(date < 20_250_124 ? [] : LATER_ACTIONS),
          ...(date < 20_251_124 ? [] : ['zoom']),
        ),
        coordinate: point('Where, from the upper left corner: x and y.'),
        text: text(
          'For type: the text. For key and hold_key: keys such as ctrl+s. For clicks and scroll: keys to hold.',
        ),
        ...(date < 20_250_124
          ? {}
          : {
              start_coordinate: point('For left_click_drag: where it begins.'),
              scroll_direction: oneOf('up', 'down', 'left', 'right'),
              scroll_amount: { type: 'integer', description: 'For scroll: how far.' },
              duration: { type: 'number', description: 'For wait and hold_key: seconds.' },
            }),
        ...(date < 20_251_124
          ? {}
          : { region: { type: 'array', items: { type: 'integer' }, description: 'For zoom: x0, y0, x1, y1.' } }),
      },
      required: ['action'],
    },
  }),
};

/** From this day on the editor cannot undo, and inserts `insert_text`. */
const NEWER_EDITOR = 20_250_429;

const text = (description: string) => ({ type: 'string', description });
const oneOf = (...words: string[]) => ({ type: 'string', enum: words });
const point = (description: string) => ({
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description,
});

const EDITING = {
  file_text: text('For create: the content of the file.'),
  old_str: text('For str_replace: the text to replace.'),
  new_str: text('For str_replace: the text that takes its place. The older editor also inserts it.'),
  insert_line: { type: 'integer', description: 'For insert: the line after which to insert; 0 for the beginning.' },
  view_range: {
    type: 'array',
    items: { type: 'integer' },
    description: 'For view of a file: the first and the last line; -1 for the end.',
  },
};

const FIRST_ACTIONS = [
  'screenshot',
  'key',
  'type',
  'cursor_position',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
];
const LATER_ACTIONS = ['triple_click', 'left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait'];
