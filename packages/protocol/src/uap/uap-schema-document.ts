import { z } from 'zod';
import { hubEventSchema, runnerEventSchema } from '../hub/hub-event.ts';
import { agentMessageSchema, agentRoleSchema } from './agent-message.ts';
import { actorSchema, approvalAnswerSchema, approvalSchema } from './approval.ts';
import { backendCapabilitiesSchema, backendEventSchema, faultSchema, turnEndSchema } from './backend-event.ts';
import { blockEventSchema } from './block-event.ts';
import { contentBlockSchema, fileDiffSchema, promptBlockSchema } from './content-block.ts';

/** What the published schema has names for. */
const NAMED = {
  Actor: actorSchema,
  AgentMessage: agentMessageSchema,
  AgentRole: agentRoleSchema,
  Approval: approvalSchema,
  ApprovalReply: approvalAnswerSchema,
  BackendCapabilities: backendCapabilitiesSchema,
  BackendEvent: backendEventSchema,
  BlockEvent: blockEventSchema,
  ContentBlock: contentBlockSchema,
  Fault: faultSchema,
  FileDiff: fileDiffSchema,
  HubEvent: hubEventSchema,
  PromptBlock: promptBlockSchema,
  RunnerEvent: runnerEventSchema,
  TurnEnd: turnEndSchema,
};

/**
 * The published schema of the Universal Agent Protocol, as JSON Schema. The document itself describes an `AgentMessage`;
 * everything else is under its name in `$defs`. Fields that are not named may be there and are passed over, but not in an
 * `AgentMessage` itself.
 */
export function uapSchemaDocument(): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: (id) => `#/$defs/${id}` });
  const $defs = Object.entries(schemas).map(([id, schema]) => [id, { ...schema, $schema: undefined, $id: undefined }]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Universal Agent Protocol',
    $ref: '#/$defs/AgentMessage',
    $defs: Object.fromEntries($defs),
  };
}
