import { z } from 'zod';
import { messageInfoSchema, messageSchema } from '../part/message.ts';
import { anyPartSchema, partSchema } from '../part/part.ts';
import { toolStateSchema } from '../part/tool-state.ts';
import { agentErrorSchema } from './agent-error.ts';
import { agentEventSchema } from './agent-event.ts';

/** What the published schema has names for. */
const NAMED = {
  AgentError: agentErrorSchema,
  AgentEvent: agentEventSchema,
  AnyPart: anyPartSchema,
  Message: messageSchema,
  MessageInfo: messageInfoSchema,
  Part: partSchema,
  ToolState: toolStateSchema,
};

/** The published schema of a session's messages and events, as JSON Schema. */
export function sessionSchemaDocument(): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'output', unrepresentable: 'any', uri: (id) => `#/$defs/${id}` });
  const $defs = Object.entries(schemas).map(([id, schema]) => [id, { ...schema, $schema: undefined, $id: undefined }]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Messages and events of a Dragoman session',
    $defs: Object.fromEntries($defs),
  };
}
