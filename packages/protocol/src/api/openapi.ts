import { z } from 'zod';
import { agentMessageSchema } from '../uap/agent-message.ts';
import { actorSchema, approvalAnswerSchema, approvalSchema } from '../uap/approval.ts';
import { backendCapabilitiesSchema, faultSchema } from '../uap/backend-event.ts';
import { contentBlockSchema, promptBlockSchema } from '../uap/content-block.ts';
import { HUB_CALLS, type HubChange, loggedHubEventSchema, savedRuleSchema, searchHitSchema } from '../hub/hub-calls.ts';
import { hubEventSchema, hubPromptSchema, runnerEventSchema } from '../hub/hub-event.ts';
import { CONTEXT_CALLS, rankedPlaceSchema, workspaceInfoSchema } from '../console/context-calls.ts';
import { CONTEXT_ROUTES } from '../console/context-routes.ts';
import {
  GATEWAY_CALLS,
  providerDraftSchema,
  providerInfoSchema,
  requestInfoSchema,
  routeInfoSchema,
  usageRowSchema,
} from '../console/gateway-calls.ts';
import { GATEWAY_ROUTES } from '../console/gateway-routes.ts';
import {
  SETTINGS_CALLS,
  settingChangeSchema,
  settingsSchema,
  tokenSchema,
  userSchema,
} from '../console/settings-calls.ts';
import { SETTINGS_ROUTES } from '../console/settings-routes.ts';
import {
  mcpServerInfoSchema,
  permissionAnswerSchema,
  skillInfoSchema,
  WORKPLACE_CALLS,
} from '../console/workplace-calls.ts';
import { WORKPLACE_ROUTES } from '../console/workplace-routes.ts';
import { HUB_ROUTES } from '../hub/hub-routes.ts';
import type { ApiCall } from './api-call.ts';
import type { ApiRoute } from './api-route.ts';
import { agentOfferSchema, hubRunnerSchema, hubSessionSchema, waitingApprovalSchema } from '../hub/hub-session.ts';
import {
  folderListingSchema,
  outboxBatchSchema,
  outboxRecordSchema,
  runnerAskSchema,
  runnerCommandSchema,
  type RunnerMessage,
  sessionSpecSchema,
} from '../hub/runner-wire.ts';

type Json = Record<string, unknown>;

const ROUTES = { ...HUB_ROUTES, ...SETTINGS_ROUTES, ...GATEWAY_ROUTES, ...CONTEXT_ROUTES, ...WORKPLACE_ROUTES };
const CALLS = { ...HUB_CALLS, ...SETTINGS_CALLS, ...GATEWAY_CALLS, ...CONTEXT_CALLS, ...WORKPLACE_CALLS };

type CallName = keyof typeof ROUTES;
type StreamName = {
  [Name in CallName]: (typeof ROUTES)[Name] extends { answers: 'events' } ? Name : never;
}[CallName];

const hubChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), session: hubSessionSchema }),
  z.object({ type: z.literal('session-removed'), sessionId: z.string() }),
  z.object({ type: z.literal('runner'), runner: hubRunnerSchema }),
]) satisfies z.ZodType<HubChange>;

const runnerMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('sync'),
    sync: z.object({
      open: z.array(
        z.object({ sessionId: z.string(), turnId: z.string().optional(), approvalIds: z.array(z.string()) }),
      ),
      handled: z.number(),
    }),
  }),
  z.object({
    type: z.literal('command'),
    command: z.object({ number: z.number(), session: sessionSpecSchema, command: runnerCommandSchema }),
  }),
  z.object({ type: z.literal('ask'), askId: z.string(), ask: runnerAskSchema }),
]) satisfies z.ZodType<RunnerMessage>;

const errorSchema = z.object({
  error: z.object({
    code: z.string().describe('For programs.'),
    message: z.string().describe('For people.'),
    requestId: z.string().describe('Under which the log of the server has the details.'),
  }),
});

/** What the data of each event holds, as JSON. */
const STREAMS: Record<StreamName, z.ZodType> = {
  readEvents: z.object({ events: z.array(loggedHubEventSchema) }),
  readChanges: hubChangeSchema,
  readLive: z.union([
    z.object({ change: hubChangeSchema }),
    z.object({ sessionId: z.string(), events: z.array(loggedHubEventSchema) }),
    z.object({ sessionId: z.string(), error: z.object({ code: z.string(), message: z.string() }) }),
  ]),
  holdLease: z.never().describe('Nothing is sent but comments.'),
  readRequests: requestInfoSchema,
  runnerCommands: runnerMessageSchema,
};

/** Words that several calls share have a name of their own; the rest is named after its call. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  Actor: actorSchema,
  AgentMessage: agentMessageSchema,
  AgentOffer: agentOfferSchema,
  Approval: approvalSchema,
  ApprovalReply: approvalAnswerSchema,
  Capabilities: backendCapabilitiesSchema,
  ContentBlock: contentBlockSchema,
  Error: errorSchema,
  Fault: faultSchema,
  FolderListing: folderListingSchema,
  HubChange: hubChangeSchema,
  HubEvent: hubEventSchema,
  HubPrompt: hubPromptSchema,
  LoggedHubEvent: loggedHubEventSchema,
  McpServer: mcpServerInfoSchema,
  OutboxRecord: outboxRecordSchema,
  PermissionAnswer: permissionAnswerSchema,
  Prompt: HUB_CALLS.sendPrompt.body,
  PromptBlock: promptBlockSchema,
  Provider: providerInfoSchema,
  ProviderDraft: providerDraftSchema,
  RankedPlace: rankedPlaceSchema,
  Request: requestInfoSchema,
  Route: routeInfoSchema,
  Runner: hubRunnerSchema,
  RunnerCommand: runnerCommandSchema,
  RunnerEvent: runnerEventSchema,
  RunnerMessage: runnerMessageSchema,
  SavedRule: savedRuleSchema,
  SearchHit: searchHitSchema,
  Session: hubSessionSchema,
  SessionSpec: sessionSpecSchema,
  SettingChange: settingChangeSchema,
  Settings: settingsSchema,
  Skill: skillInfoSchema,
  Token: tokenSchema,
  UsageRow: usageRowSchema,
  User: userSchema,
  WaitingApproval: waitingApprovalSchema,
  Workspace: workspaceInfoSchema,
};

/** Read leniently on the wire, one by one; the document says what they are. */
const LENIENT: ReadonlyMap<z.core.$ZodType, string> = new Map<z.core.$ZodType, string>([
  [loggedHubEventSchema.shape.event, 'HubEvent'],
  [outboxBatchSchema.shape.records.element, 'OutboxRecord'],
]);

/** How a browser's own reader of streams goes on after a break. */
const LAST_EVENT_ID = {
  name: 'last-event-id',
  in: 'header',
  required: false,
  description: 'The same as `after`, which counts where both are given.',
  schema: { type: 'string' },
};

const refTo = (id: string) => `#/components/schemas/${id}`;

/** The OpenAPI 3.1 document of the server's own API, made from the same routes and schemas that server and client use. */
export function openApiDocument(version: string): Json {
  const names = new Map<z.ZodType, string>(Object.entries(NAMED).map(([name, schema]) => [schema, name]));
  const schemaOf = (schema: z.ZodType, fallback: string): Json => {
    if (isEmptyObject(schema)) return { type: 'object' };
    if (!names.has(schema)) names.set(schema, fallback);
    return { $ref: refTo(names.get(schema)!) };
  };

  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(ROUTES) as [CallName, ApiRoute][]) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route, schemaOf) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dragoman',
      version,
      description:
        'Sessions of any agent, the machines they run on, and what gateway, context engine and settings tell of themselves.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }, { login: [], page: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Made with: dragoman token create NAME' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same token.' },
        login: {
          type: 'apiKey',
          in: 'cookie',
          name: 'dragoman_login',
          description: 'The login of a browser, with the port of the address behind its name if there is one.',
        },
        page: {
          type: 'apiKey',
          in: 'header',
          name: 'x-dragoman-page',
          description:
            'The secret that the pages of a logged-in browser keep. The cookie counts only together with it.',
        },
      },
      schemas: componentsOf(names),
    },
  };
}

function operationOf(name: CallName, route: ApiRoute, schemaOf: (schema: z.ZodType, fallback: string) => Json): Json {
  const shapes: ApiCall = CALLS[name];
  const title = name[0]!.toUpperCase() + name.slice(1);
  const error = (description: string) => ({
    description,
    content: { 'application/json': { schema: schemaOf(errorSchema, 'Error') } },
  });
  return {
    operationId: name,
    summary: route.summary,
    description: `Needs the role ${route.access}.`,
    tags: [route.path.split('/')[2]],
    parameters: [
      ...parametersOf('path', shapes.params),
      ...parametersOf('query', shapes.query),
      ...(name === 'readEvents' ? [LAST_EVENT_ID] : []),
    ],
    ...(shapes.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(shapes.body, `${title}Body`) } },
          },
        }),
    responses: {
      200: {
        description: route.answers === 'events' ? 'A stream that does not end by itself.' : 'Done.',
        content: contentOf(name, route, shapes.answer, (schema) => schemaOf(schema, `${title}Answer`)),
      },
      401: error('No token, or one that does not count.'),
      403: error('The role of the token is not enough.'),
      ...(shapes.params === undefined ? {} : { 404: error('There is no such thing, or the caller may not see it.') }),
      default: error('It could not be done; the message says why.'),
    },
  };
}

function contentOf(
  name: CallName,
  route: ApiRoute,
  answer: z.ZodType | undefined,
  schemaOf: (schema: z.ZodType) => Json,
): Json {
  if (route.answers === 'bytes') return { '*/*': { schema: { type: 'string', format: 'binary' } } };
  if (route.answers === 'events') {
    const data = schemaOf(STREAMS[name as StreamName]);
    const description = 'Server-sent events; the data of each is JSON. A comment comes every 15 seconds.';
    return {
      'text/event-stream': {
        schema: { type: 'string', description, contentMediaType: 'application/json', contentSchema: data },
      },
    };
  }
  return { 'application/json': { schema: answer === undefined ? { type: 'object' } : schemaOf(answer) } };
}

function parametersOf(place: 'path' | 'query', shape: z.ZodObject | undefined): Json[] {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, given]) => {
    const { description, ...schema } = given as Json;
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, required: isRequired, ...(description === undefined ? {} : { description }), schema };
  });
}

/** Everything that has a name. As input, because that is what lenient readers and writers agree on. */
function componentsOf(named: ReadonlyMap<z.ZodType, string>): Json {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: refTo,
    override: ({ zodSchema, jsonSchema }) => {
      const name = LENIENT.get(zodSchema);
      if (name !== undefined) jsonSchema.$ref = refTo(name);
    },
  });
  const names = Object.keys(schemas).toSorted((one, other) => (one < other ? -1 : 1));
  return Object.fromEntries(names.map((id) => [id, { ...schemas[id], $schema: undefined, $id: undefined }]));
}

function isEmptyObject(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
}
