import type { FieldTable } from '../unread-fields.ts';
import { anthropicRequestSchema } from './wire.ts';

export const ANTHROPIC_FIELDS: FieldTable = {
  read: new Set(Object.keys(anthropicRequestSchema.shape)),
  refused: new Set(['mcp_servers', 'container', 'inference_geo']),
  usual: { speed: 'standard', inference_geo: 'global' },
};

/** The same for `output_config`. */
export const OUTPUT_FIELDS: FieldTable = {
  read: new Set(['effort', 'format']),
  refused: new Set(),
  usual: {},
};

/** The same for a tool that runs in the client. One that waits to be found is simply offered. */
export const TOOL_FIELDS: FieldTable = {
  read: new Set([
    'type',
    'name',
    'description',
    'input_schema',
    'cache_control',
    'strict',
    'input_examples',
    'defer_loading',
  ]),
  refused: new Set(),
  usual: {},
};
