import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openWebSearchEngine } from './open-web-search-engine.ts';
import { webSearchConfigSchema } from './web-search-config.ts';
import { startWebServer } from './web-server.fixture.ts';

const never = new AbortController().signal;
const KEY = 'key-0123456789';
const question = { query: 'type stripping', limit: 3 };

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function open(engine: string, listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = await startWebServer(listener);
  const needsKey = engine !== 'searxng';
  const config = webSearchConfigSchema.parse({
    engine,
    baseUrl: `${server.url}/`,
    ...(needsKey && { apiKey: KEY }),
  });
  return { engine: (await openWebSearchEngine(config))!, server };
}

describe('SearXNG', () => {
  test('is asked for JSON and gives its results', async () => {
    const { engine, server } = await open('searxng', (_request, response) =>
      json(response, 200, {
        query: 'type stripping',
        number_of_results: 0,
        results: [
          { url: 'https://a.example/', title: 'A', content: 'about a', engine: 'x', score: 1, category: 'general' },
          { url: 'https://b.example/', title: 'B', content: null },
        ],
        answers: [],
        suggestions: [],
        unresponsive_engines: [['y', 'timeout']],
      }),
    );

    expect(await engine.search(question, never)).toEqual([
      { title: 'A', url: 'https://a.example/', snippet: 'about a' },
      { title: 'B', url: 'https://b.example/', snippet: '' },
    ]);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/search?q=type+stripping&format=json' });
  });

  test('that does not allow JSON is for the person to put right', async () => {
    const { engine } = await open('searxng', (_request, response) => response.writeHead(403).end('<p>Forbidden</p>'));

    await expect(engine.search(question, never)).rejects.toThrow(
      'SearXNG refused the request (403). The person who runs the agent has to look at "webSearch" in the configuration; do not try again.',
    );
  });
});

describe('Brave', () => {
  test('is asked with its token and gives its web results', async () => {
    const { engine, server } = await open('brave', (_request, response) =>
      json(response, 200, {
        type: 'search',
        query: { original: 'type stripping' },
        web: {
          type: 'search',
          results: [{ title: 'A', url: 'https://a.example/', description: 'about <strong>a</strong>', age: '1 day' }],
        },
      }),
    );

    expect(await engine.search(question, never)).toEqual([
      { title: 'A', url: 'https://a.example/', snippet: 'about <strong>a</strong>' },
    ]);
    expect(server.requests[0]).toMatchObject({
      url: '/res/v1/web/search?q=type+stripping&count=3',
      headers: { 'x-subscription-token': KEY },
    });
  });

  test('finds nothing where its answer has no web results', async () => {
    const { engine } = await open('brave', (_request, response) => json(response, 200, { type: 'search' }));

    expect(await engine.search(question, never)).toEqual([]);
  });

  test('refuses a key with 422, which is for the person to put right', async () => {
    const { engine } = await open('brave', (_request, response) =>
      json(response, 422, {
        type: 'ErrorResponse',
        error: {
          id: 'x',
          status: 422,
          code: 'SUBSCRIPTION_TOKEN_INVALID',
          detail: 'The provided subscription token is invalid.',
        },
      }),
    );

    await expect(engine.search(question, never)).rejects.toThrow(
      'Brave refused the request (422): The provided subscription token is invalid. The person',
    );
  });

  test('that was asked too often says when to try again', async () => {
    const { engine } = await open('brave', (_request, response) =>
      json(
        response,
        429,
        { type: 'ErrorResponse', error: { status: 429, code: 'RATE_LIMITED', detail: 'Request rate limit exceeded' } },
        { 'retry-after': '2' },
      ),
    );

    await expect(engine.search(question, never)).rejects.toThrow(
      'Brave has been asked too often (429): Request rate limit exceeded. Try again after 2 s, with fewer searches.',
    );
  });
});

describe('Tavily', () => {
  test('is asked with its key and gives its results', async () => {
    const { engine, server } = await open('tavily', (_request, response) =>
      json(response, 200, {
        query: 'type stripping',
        answer: null,
        images: [],
        results: [{ title: 'A', url: 'https://a.example/', content: 'about a', score: 0.9, raw_content: null }],
        response_time: 1.2,
      }),
    );

    expect(await engine.search(question, never)).toEqual([
      { title: 'A', url: 'https://a.example/', snippet: 'about a' },
    ]);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/search',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({ query: 'type stripping', max_results: 3 });
  });

  test.each([401, 432])(
    'refuses with %d what is for the person to put right, and its key is not told on',
    async (status) => {
      const { engine } = await open('tavily', (_request, response) =>
        json(response, status, { detail: { error: `Unauthorized: ${KEY} is not known` } }),
      );

      await expect(engine.search(question, never)).rejects.toThrow(
        `Tavily refused the request (${status}): Unauthorized: •••••• is not known. The person`,
      );
    },
  );

  test('that was asked too often says to wait', async () => {
    const { engine } = await open('tavily', (_request, response) =>
      json(response, 429, { detail: { error: 'Too many requests' } }),
    );

    await expect(engine.search(question, never)).rejects.toThrow('Too many requests. Try again in a while');
  });
});

describe('Exa', () => {
  test('is asked with its key and gives its highlights', async () => {
    const { engine, server } = await open('exa', (_request, response) =>
      json(response, 200, {
        requestId: 'r',
        results: [
          { id: 'a', title: 'A', url: 'https://a.example/', highlights: ['one', 'two'], highlightScores: [1, 0.5] },
          { id: 'b', title: null, url: 'https://b.example/', text: 'whole' },
          { id: 'c', url: 'https://c.example/' },
        ],
        costDollars: { total: 0.005 },
      }),
    );

    expect(await engine.search(question, never)).toEqual([
      { title: 'A', url: 'https://a.example/', snippet: 'one … two' },
      { title: '', url: 'https://b.example/', snippet: 'whole' },
      { title: '', url: 'https://c.example/', snippet: '' },
    ]);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/search', headers: { 'x-api-key': KEY } });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({
      query: 'type stripping',
      numResults: 3,
      contents: { highlights: true },
    });
  });

  test('refuses a key, and asks to wait', async () => {
    const statuses = [401, 429];
    const { engine } = await open('exa', (_request, response) =>
      json(response, statuses.shift()!, { requestId: 'r', error: 'Invalid API key', tag: 'INVALID_API_KEY' }),
    );

    await expect(engine.search(question, never)).rejects.toThrow('Exa refused the request (401): Invalid API key.');
    await expect(engine.search(question, never)).rejects.toThrow('Exa has been asked too often (429)');
  });
});

describe('any engine', () => {
  test('whose answer is not what it should be is told', async () => {
    const { engine } = await open('exa', (_request, response) => response.writeHead(200).end('<html>'));

    await expect(engine.search(question, never)).rejects.toThrow('The answer of Exa cannot be understood.');
  });

  test('that fails is told with its status', async () => {
    const { engine } = await open('exa', (_request, response) => response.writeHead(503).end());

    await expect(engine.search(question, never)).rejects.toThrow('Exa answered 503. Try other words');
  });

  test('that answers with too much is not read to the end', async () => {
    const { engine } = await open('exa', (_request, response) => response.writeHead(200).end(' '.repeat(3_000_000)));

    await expect(engine.search(question, never)).rejects.toThrow(
      'Exa cannot be asked: its answer is larger than 2097152 bytes.',
    );
  });

  test('is left when the call is called off', async () => {
    const call = new AbortController();
    const { engine } = await open('exa', () => call.abort(new Error('called off')));

    await expect(engine.search(question, call.signal)).rejects.toThrow('called off');
  });

  test('is none when none is configured, and a key is asked for where one is needed', async () => {
    expect(await openWebSearchEngine(undefined)).toBeUndefined();
    expect(webSearchConfigSchema.safeParse({ engine: 'brave' }).success).toBe(false);
    expect(webSearchConfigSchema.safeParse({ engine: 'searxng', baseUrl: 'https://s.example', key: 1 }).success).toBe(
      false,
    );
  });
});
