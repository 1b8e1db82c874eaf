import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';
import type { ApiRoute } from './api-route.ts';
import * as ROUTES from '../routes.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  security: Record<string, unknown>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>>; securitySchemes: Record<string, unknown> };
}

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every value below a place, each with the keys that lead to it. */
function* within(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Record<string, unknown> }> {
  if (typeof value !== 'object' || value === null) return;
  yield { path, value: value as Record<string, unknown> };
  for (const [key, inner] of Object.entries(value)) yield* within(inner, [...path, key]);
}

test('the document names every route, with its method, its summary and who may call it', () => {
  const told = operations.map(
    ({ path, method, operation }) => `${operation.operationId} ${method} ${path} ${operation.summary}`,
  );
  const known = Object.values(ROUTES)
    .flatMap((table) => Object.entries<ApiRoute>(table))
    .map(([name, { method, path, summary }]) => {
      return `${name} ${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${summary}`;
    });
  expect(new Set(told)).toEqual(new Set(known));
  expect(document.info).toMatchObject({ title: 'Dragoman', version: '1.2.3' });
  expect(document.openapi).toBe('3.1.1');
});

test('every parameter that a path names is declared, and no other one', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect([path, declared.map(({ name }) => name)]).toEqual([path, named]);
    expect(declared.every(({ required }) => required)).toBe(true);
  }
});

test('every reference leads to something, and every named schema is used or a word of its own', () => {
  const refs = [...within(document)].flatMap(({ value }) => (typeof value['$ref'] === 'string' ? [value['$ref']] : []));
  const names = refs.map((ref) => /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1]);
  expect(names.filter((name) => name === undefined || document.components.schemas[name] === undefined)).toEqual([]);
  const unused = Object.keys(document.components.schemas).filter((name) => !names.includes(name));
  expect(unused).toEqual(['AgentMessage']);
});

test('nothing in it is of another document: no ids, no dialects, no definitions of its own', () => {
  for (const { path, value } of within(document.components.schemas))
    expect([path, value['$id'], value['$schema'], value['$defs']]).toEqual([path, undefined, undefined, undefined]);
});

test('every call has an answer, says what goes wrong, and asks for a token', () => {
  expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }, { login: [], page: [] }]);
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'apiKey', 'login', 'page']);
  for (const { operation } of operations) {
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '401', '403', 'default']));
    expect(operation.responses['default']!.content['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/Error',
    });
  }
});

test('streams are told as server-sent events, with what their data holds', () => {
  const streams = operations.flatMap(({ operation }) => {
    const content = operation.responses['200']!.content['text/event-stream'];
    return content === undefined ? [] : [[operation.operationId, content.schema]];
  });
  const stream = (name: string) => ({
    type: 'string',
    description: 'Server-sent events; the data of each is JSON. A comment comes every 15 seconds.',
    contentMediaType: 'application/json',
    contentSchema: { $ref: `#/components/schemas/${name}` },
  });
  expect(streams).toEqual([
    ['readEvents', stream('ReadEventsAnswer')],
    ['readChanges', stream('HubChange')],
    ['readLive', stream('ReadLiveAnswer')],
    ['runnerCommands', stream('RunnerMessage')],
    ['holdLease', stream('HoldLeaseAnswer')],
    ['readRequests', stream('Request')],
  ]);
});

test('what is read leniently on the wire is still told in full', () => {
  const { LoggedHubEvent, RunnerEventsBody } = document.components.schemas;
  expect(LoggedHubEvent).toEqual({
    type: 'object',
    properties: { seq: { type: 'number' }, at: { type: 'number' }, event: { $ref: '#/components/schemas/HubEvent' } },
    required: ['seq', 'at', 'event'],
  });
  expect(RunnerEventsBody).toMatchObject({
    properties: { records: { type: 'array', items: { $ref: '#/components/schemas/OutboxRecord' } } },
  });
});

test('a call reads as a person would write it down', () => {
  expect(document.paths['/api/sessions/{sessionId}/log']!['get']).toMatchObject({
    operationId: 'readLog',
    summary: 'A page of what happened in a session, with as many events as fit; `seq` is the last there is.',
    description: 'Needs the role viewer.',
    tags: ['sessions'],
    parameters: [
      { name: 'sessionId', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'after', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 5000 } },
      {
        name: 'last',
        in: 'query',
        description: 'So many of the last events instead, as far as they fit.',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 5000 },
      },
    ],
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ReadLogAnswer' } } } } },
  });
  expect(document.paths['/api/sessions']!['post']).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateSessionBody' } } } },
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Session' } } } } },
  });
});
