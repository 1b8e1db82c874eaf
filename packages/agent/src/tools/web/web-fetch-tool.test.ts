import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toolContext } from '../tool-context.fixture.ts';
import { webFetchTool } from './web-fetch-tool.ts';
import { startWebServer } from './web-server.fixture.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test('a page is fetched and comes back as readable Markdown with its title [FR-32]', async () => {
  const site = await startWebServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        '<title>Guide</title><nav>Menu</nav><h2>Install</h2><p>Run <code>npm i</code>, see <a href="/b">more</a>.</p>',
      ),
  );
  const tool = webFetchTool({ allowPrivate: [site.host] });

  const result = await tool.execute({ url: `${site.url}/a` }, toolContext().context);

  expect(result).toEqual({
    title: 'Guide',
    output: `# Guide\n\n## Install\n\nRun \`npm i\`, see [more](${site.url}/b).`,
    metadata: { url: `${site.url}/a`, status: 200, mime: 'text/html', bytes: 108, pageTitle: 'Guide' },
  });
  expect(site.requests[0]).toMatchObject({ method: 'GET', url: '/a' });
  expect(site.requests[0]!.headers.accept).toContain('text/markdown');
});

test('the host is what permissions are asked about', async () => {
  const tool = webFetchTool();

  expect(await tool.subjects!({ url: 'https://Docs.example:8443/a?b' }, toolContext().context)).toEqual([
    { kind: 'host', value: 'docs.example:8443' },
  ]);
});

test.each([
  ['docs.example/page', '"docs.example/page" is not an address. Give it in full, such as https://example.com/page.'],
  ['file:///etc/passwd', 'file:///etc/passwd cannot be fetched: only http and https addresses can, not file:'],
  ['https://me:secret@docs.example/', 'Addresses with a user name or password in them are not fetched'],
])('the address %s is refused before anyone is asked', (url, reason) => {
  const { parameters } = webFetchTool();
  const parsed = 'safeParse' in parameters ? (parameters as never as Checked).safeParse({ url }) : undefined;

  expect(parsed?.error?.issues[0]?.message).toContain(reason);
});

interface Checked {
  safeParse(value: unknown): { error?: { issues: { message: string }[] } };
}

test('JSON and text come as they are, in the encoding the server names', async () => {
  const site = await startWebServer((request, response) =>
    request.url === '/data'
      ? response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": "<b>"}')
      : response
          .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
          .end(Buffer.from('caf\xe9', 'latin1')),
  );
  const tool = webFetchTool({ allowPrivate: [site.host] });

  expect((await tool.execute({ url: `${site.url}/data` }, toolContext().context)).output).toBe('{"a": "<b>"}');
  expect((await tool.execute({ url: `${site.url}/menu` }, toolContext().context)).output).toBe('café');
});

test('a page can be had as plain text or as the HTML it is', async () => {
  const html = '<title>T</title><p>Some <b>words</b></p>';
  const site = await startWebServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(html)),
  );
  const tool = webFetchTool({ allowPrivate: [site.host] });

  expect((await tool.execute({ url: site.url, format: 'text' }, toolContext().context)).output).toBe('T\n\nSome words');
  expect((await tool.execute({ url: site.url, format: 'html' }, toolContext().context)).output).toBe(html);
});

test('a page without words says so', async () => {
  const site = await startWebServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>App</title><div id=root></div>'),
  );
  const tool = webFetchTool({ allowPrivate: [site.host] });

  expect((await tool.execute({ url: site.url }, toolContext().context)).output).toBe(
    'The page "App" holds no text. It may need a browser to show it.',
  );
});

test('an image is attached, and an archive is refused', async () => {
  const site = await startWebServer((request, response) =>
    request.url === '/a%20b.png'
      ? response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
      : response.writeHead(200, { 'content-type': 'application/zip' }).end('PK\u0003\u0004'),
  );
  const tool = webFetchTool({ allowPrivate: [site.host] });

  const { output, attachments } = await tool.execute({ url: `${site.url}/a%20b.png` }, toolContext().context);
  expect(output).toBe(`${site.url}/a%20b.png is attached (image/png, 16 bytes).`);
  expect(attachments).toEqual([
    { mime: 'image/png', url: `data:image/png;base64,${PNG.toString('base64')}`, filename: 'a%20b.png' },
  ]);
  await expect(tool.execute({ url: `${site.url}/x.zip` }, toolContext().context)).rejects.toThrow(
    `${site.url}/x.zip is application/zip (4 bytes), which cannot be read as text.`,
  );
});

describe('private addresses', () => {
  test('this machine is not fetched, and no request reaches it', async () => {
    const site = await startWebServer((_request, response) => response.end('secret'));

    for (const url of [site.url, `http://localhost:${site.port}/`, `http://2130706433:${site.port}/`])
      await expect(webFetchTool().execute({ url }, toolContext().context)).rejects.toThrow(
        'only the public Internet is open to this tool',
      );
    expect(site.requests).toEqual([]);
  });

  test('a name is looked up once, and the connection goes where the check looked', async () => {
    const site = await startWebServer((_request, response) => response.end('here'));
    let lookups = 0;
    const tool = webFetchTool({
      allowPrivate: ['rebind.example'],
      lookup: async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '203.0.113.1', family: 4 }],
    });

    const { output } = await tool.execute({ url: `http://rebind.example:${site.port}/` }, toolContext().context);

    expect(output).toBe('here');
    expect(lookups).toBe(1);
    expect(site.requests[0]!.headers.host).toBe(`rebind.example:${site.port}`);
  });

  test('a redirect into the private network is refused', async () => {
    const inside = await startWebServer((_request, response) => response.end('secret'));
    const outside = await startWebServer((_request, response) =>
      response.writeHead(302, { location: `${inside.url}/admin` }).end(),
    );
    const tool = webFetchTool({ allowPrivate: [outside.host] });

    await expect(tool.execute({ url: outside.url }, toolContext().context)).rejects.toThrow(
      `${inside.host} is not fetched: it is a private address`,
    );
    expect(inside.requests).toEqual([]);
  });
});

describe('redirects', () => {
  test('one within the host is followed, and the address of the end is told', async () => {
    const site = await startWebServer((request, response) =>
      request.url === '/old'
        ? response.writeHead(301, { location: 'new?x=1' }).end()
        : response.writeHead(200, { 'content-type': 'text/plain' }).end('moved here'),
    );
    const { context, asked } = toolContext();

    const result = await webFetchTool({ allowPrivate: [site.host] }).execute({ url: `${site.url}/old` }, context);

    expect(result).toMatchObject({ output: 'moved here', metadata: { url: `${site.url}/new?x=1` } });
    expect(asked).toEqual([]);
  });

  test('one to another host is asked about, and not followed when it may not be', async () => {
    const other = await startWebServer((_request, response) => response.end('elsewhere'));
    const site = await startWebServer((_request, response) => response.writeHead(307, { location: other.url }).end());
    const tool = webFetchTool({ allowPrivate: ['127.0.0.1'] });

    const allowed = toolContext();
    expect((await tool.execute({ url: site.url }, allowed.context)).output).toBe('elsewhere');
    expect(allowed.asked).toEqual([[{ kind: 'host', value: other.host }]]);

    const denied = toolContext({
      answer: () => {
        throw new Error('denied');
      },
    });
    await expect(tool.execute({ url: site.url }, denied.context)).rejects.toThrow('denied');
    expect(other.requests).toHaveLength(1);
  });

  test('an endless chain ends after five', async () => {
    const site = await startWebServer((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );

    await expect(
      webFetchTool({ allowPrivate: [site.host] }).execute({ url: `${site.url}/` }, toolContext().context),
    ).rejects.toThrow(`${site.url}/ redirects more than 5 times; the last was to ${site.url}/xxxxx.`);
    expect(site.requests).toHaveLength(6);
  });
});

describe('what goes wrong', () => {
  test('a refusal is told with its status and its reason', async () => {
    const site = await startWebServer((request, response) =>
      request.url === '/busy'
        ? response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' }).end('{"error":"slow"}')
        : response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>No</h1>'),
    );
    const tool = webFetchTool({ allowPrivate: [site.host] });

    await expect(tool.execute({ url: `${site.url}/a` }, toolContext().context)).rejects.toThrow(
      `${site.url}/a answered 404 Not Found.`,
    );
    await expect(tool.execute({ url: `${site.url}/busy` }, toolContext().context)).rejects.toThrow(
      `${site.url}/busy answered 429 Too Many Requests (retry after 7): {"error":"slow"}`,
    );
  });

  test('more than 5 MB is refused, whether it is told before or hidden in a small package', async () => {
    const site = await startWebServer((request, response) =>
      request.url === '/told'
        ? response.writeHead(200, { 'content-length': 6_000_000 }).end()
        : response
            .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(6_000_000, 'a'))),
    );
    const tool = webFetchTool({ allowPrivate: [site.host] });

    await expect(tool.execute({ url: `${site.url}/told` }, toolContext().context)).rejects.toThrow(
      `${site.url}/told is 6000000 bytes; the limit is 5242880 bytes.`,
    );
    await expect(tool.execute({ url: `${site.url}/packed` }, toolContext().context)).rejects.toThrow(
      'is larger; the limit is 5242880 bytes',
    );
  });

  test('a server that does not answer is given up after the time that was set', async () => {
    const site = await startWebServer(() => {});

    await expect(
      webFetchTool({ allowPrivate: [site.host] }).execute({ url: site.url, timeout: 0.05 }, toolContext().context),
    ).rejects.toThrow('did not answer within 0.05 s. Try a longer timeout (120 s at most), or another source.');
  });

  test('a host that refuses the connection is told', async () => {
    await expect(
      webFetchTool({ allowPrivate: ['127.0.0.1'] }).execute({ url: 'http://127.0.0.1:9/' }, toolContext().context),
    ).rejects.toThrow('http://127.0.0.1:9/ cannot be reached: ');
  });

  test('calling the turn off ends the fetch with its reason', async () => {
    const turn = new AbortController();
    const site = await startWebServer(() => turn.abort(new Error('called off')));

    await expect(
      webFetchTool({ allowPrivate: [site.host] }).execute(
        { url: site.url },
        toolContext({ abort: turn.signal }).context,
      ),
    ).rejects.toThrow('called off');
  });

  test('the time for a call follows what was asked for, with a limit', () => {
    const { timeoutMs } = webFetchTool();

    expect(timeoutMs!({ url: 'https://docs.example/' })).toBe(55_000);
    expect(timeoutMs!({ url: 'https://docs.example/', timeout: 500 })).toBe(145_000);
  });
});
