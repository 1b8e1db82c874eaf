import type { FieldTable } from '../unread-fields.ts';
import { anthropicRequestSchema } from './wire.ts';

export const ANTHROPIC_FIELDS: FieldTable = {
  read: new Set(Object.keys(anthropicRequestSchema.shape)),
  refused: new Set(['mcp_servers', 'container', 'output_format']),
  usual: { service_tier: 'auto' },
};
