import type { ToolDefinition } from '@dragoman/protocol';
import { isJsonObject, type JsonObject, ownValue } from '../../tools/json-object.ts';
import type { ToolEntry } from '../../tools/offered-tools.ts';

type OwnType = 'tool_search' | 'local_shell' | 'shell' | 'apply_patch';

/** A tool of OpenAI's that runs in the client, with items of its own for calls and results. */
interface OwnForm {
  /** What the id of a call begins with. */
  prefix: string;
  /** The same type may also mean a tool that runs at OpenAI. */
  runsInClient(tool: ToolEntry): boolean;
  definition(tool: ToolEntry): ToolDefinition;
  /** The arguments of a call, in the item of a call. */
  toItem(args: JsonObject): JsonObject;
  /** What the item of a call says, as arguments. */
  toArguments(item: JsonObject): unknown;
}

const text = (description: string) => ({ type: 'string', description });
const milliseconds = { type: 'number', description: 'How long it may run, in milliseconds.' };

export const OWN_FORMS: Readonly<Record<OwnType, OwnForm>> = {
  tool_search: {
    prefix: 'tsc',
    runsInClient: (tool) => tool['execution'] === 'client',
    definition: ({ description, parameters }) => ({
      name: 'tool_search',
      description: description ?? '',
      inputSchema: isJsonObject(parameters) ? parameters : { type: 'object', properties: {} },
    }),
    toItem: (args) => ({ execution: 'client', arguments: args }),
    toArguments: (item) => item['arguments'],
  },
  local_shell: {
    prefix: 'lsh',
    runsInClient: () => true,
    definition: () => ({
      name: 'local_shell',
      description: 'Runs a command on the machine of the user, and returns what it printed.',
      inputSchema: {
        type: 'object',
        properties: {
          command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
          working_directory: text('The folder to run it in.'),
          timeout_ms: milliseconds,
        },
        required: ['command'],
      },
    }),
    toItem: (args) => ({ action: { type: 'exec', env: {}, ...args, command: toList(args['command']) } }),
    toArguments: (item) => without(item['action'], 'type', 'env'),
  },
  shell: {
    prefix: 'sh',
    runsInClient: ({ environment }) => (ownValue(environment, 'type') ?? 'local') === 'local',
    definition: () => ({
      name: 'shell',
      description: 'Runs shell commands on the machine of the user, and returns what they printed.',
      inputSchema: {
        type: 'object',
        properties: {
          commands: { type: 'array', items: { type: 'string' }, description: 'The commands, in their order.' },
          timeout_ms: milliseconds,
          max_output_length: { type: 'number', description: 'How many characters of output are wanted at most.' },
        },
        required: ['commands'],
      },
    }),
    toItem: (args) => ({
      action: { timeout_ms: null, max_output_length: null, ...args, commands: toList(args['commands']) },
    }),
    toArguments: (item) => item['action'],
  },
  apply_patch: {
    prefix: 'apc',
    runsInClient: () => true,
    definition: () => ({
      name: 'apply_patch',
      description: 'Creates, changes or deletes one file in the workspace of the user.',
      inputSchema: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
          path: text('The file, relative to the root of the workspace.'),
          diff: text(
            'Not for delete_file. The changes in the V4A diff format: lines of context as they are, "@@" and a nearby line such as a function head to find the place, "-" before a line that goes, "+" before a line that comes. For create_file all lines have "+".',
          ),
        },
        required: ['type', 'path'],
      },
    }),
    toItem: (args) => ({ operation: args }),
    toArguments: (item) => item['operation'],
  },
};

export function isOwnForm(type: string): type is OwnType {
  return Object.hasOwn(OWN_FORMS, type);
}

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

function without(object: unknown, ...keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(isJsonObject(object) ? object : {}).filter(([key]) => !keys.includes(key)));
}
