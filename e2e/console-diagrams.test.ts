import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveDragoman } from '@dragoman/testkit';
import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answeredSession, answerOn, keepPictures, openAnswer } from './answers.fixture.ts';
import { openBrowser } from './browser.ts';
import { expectAccessible, expectNoSidewaysScroll } from './console.fixture.ts';
import { logIn } from './people.fixture.ts';

const WITHIN = { timeout: 120_000, interval: 50 };
const CANNOT_DRAW = 'This diagram can’t be drawn here.';

/** One of each kind, by the word that it begins with. */
const KINDS: Readonly<Record<string, string>> = {
  flowchart: `flowchart LR
  A[Client] --> B{Known token?}
  B -- yes --> C[Gateway]
  B -- no --> D[401]
  C --> E[(Usage)]
  subgraph Providers
    F[OpenAI]
    G[Anthropic]
  end
  C --> F & G
  style D fill:#ffe0e0`,
  graph: 'graph TD; A[Call run()] -->|"a; b"| B; B --> C{x; y};',
  sequenceDiagram: `sequenceDiagram
  participant C as Console
  participant H as Hub
  C->>H: prompt; at once
  H-->>C: <b>answer</b> & more`,
  classDiagram: `classDiagram
  class Animal {
    +String name
    +eat(food) bool
  }
  Animal <|-- Dog : is a`,
  'stateDiagram-v2': `stateDiagram-v2
  [*] --> Idle
  Idle --> Running : start
  Running --> [*]`,
  erDiagram: `erDiagram
  CUSTOMER ||--o{ ORDER : places
  CUSTOMER {
    string name PK
  }`,
  gantt: `gantt
  title A plan
  dateFormat YYYY-MM-DD
  section Build
  Server :crit, a1, 2026-01-05, 14d
  Console :after a1, 10d`,
  pie: `pie title Languages
  "TypeScript" : 72
  "Python" : 28`,
  mindmap: `mindmap
  root((Dragoman))
    Gateway
    Agent
      Tools`,
  timeline: `timeline
  title History
  2025 : First
  2026 : Second`,
  gitGraph: `gitGraph
  commit
  branch develop
  commit
  checkout main
  merge develop`,
  quadrantChart: `quadrantChart
  x-axis Low effort --> High effort
  y-axis Low reach --> High reach
  Search: [0.3, 0.6]`,
  'xychart-beta': `%% Sales of a year
xychart-beta
  x-axis [jan, feb]
  bar [20, 50]`,
};

const fenced = (texts: readonly string[]) => texts.map((text) => `\`\`\`mermaid\n${text}\n\`\`\`\n`).join('\n');

/** Waits for the frame that draws. */
async function frameOf(page: Page): Promise<Frame> {
  const element = await page.locator('iframe').elementHandle();
  return (await element.contentFrame())!;
}

test('diagrams of every kind are drawn as pictures, with their source at hand, and shown as they are where they cannot be', async () => {
  const { page, shown } = await openAnswer(
    `How it works:\n\n${fenced([...Object.values(KINDS), 'nosuchdiagram\n  a: b'])}`,
  );
  for (const kind of Object.keys(KINDS))
    await shown.getByRole('img', { name: `Diagram (${kind})`, exact: true }).waitFor();
  await shown.getByText(CANNOT_DRAW).waitFor();

  expect(await shown.getByText('nosuchdiagram').isVisible()).toBe(true);
  expect(await shown.getByText(CANNOT_DRAW).count()).toBe(1);
  expect(await shown.locator('figure svg[class*="lucide"]').count()).toBe(await shown.locator('figure svg').count());
  const widths = await page.evaluate<number[]>(
    "[...document.querySelectorAll('figure img')].map(({ naturalWidth }) => naturalWidth)",
  );
  expect(widths.length).toBe(Object.keys(KINDS).length);
  for (const width of widths) expect(width).toBeGreaterThan(60);
  await expectAccessible(page);
  await keepPictures(page, 'diagram');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);

  await shown.getByRole('button', { name: 'Show source' }).first().click();
  await shown.getByText('B{Known token?}').waitFor();
  await shown.getByRole('button', { name: 'Show diagram' }).click();
  await shown.getByRole('img', { name: 'Diagram (flowchart)' }).waitFor();
});

test('diagrams are drawn in the colours of the page, whatever they ask for', async () => {
  const { page, shown } = await openAnswer(
    fenced([`%%{init: {"theme": "forest", "themeCSS": ".node rect { fill: #ff0000; }"}}%%\n${KINDS['flowchart']}`]),
  );
  const picture = shown.getByRole('img', { name: 'Diagram (flowchart)' });
  await picture.waitFor();
  const svgOf = async () => decodeURIComponent((await picture.getAttribute('src'))!.split(',', 2)[1]!);
  const light = await svgOf();
  expect(light).toContain('fill:#e2edec');
  expect(light).toContain('#1e2227');
  expect(light).not.toMatch(/#ff0000|foreignObject/i);

  await page.emulateMedia({ colorScheme: 'dark' });
  await vi.waitFor(async () => expect(await svgOf()).toContain('#e8e6e1'), WITHIN);
});

test('a hostile diagram runs nothing, and nothing is asked of anybody for it', async () => {
  const asked: string[] = [];
  const elsewhere = createServer(({ url }, response) => {
    asked.push(url!);
    response.end();
  });
  elsewhere.listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  onTestFinished(() => void elsewhere.close());
  const host = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const run = "top.document.title='run'";
  const settings = {
    securityLevel: 'loose',
    htmlLabels: true,
    flowchart: { htmlLabels: true },
    themeCSS: `@import url(${host}/theme-css); .node rect { background: url(${host}/background) }`,
    fontFamily: `x; } @import url('${host}/font-family'); a {`,
    themeVariables: { fontFamily: `url(${host}/variable)`, primaryColor: `url(${host}/primary)` },
  };
  const labels = `A["<img src=${host}/img onerror=${run}>"] --> B["<script>${run}</script><style>@import url(${host}/label);</style>"]`;
  const hostile = [
    `%%{init: ${JSON.stringify(settings)}}%%\nflowchart LR\n  ${labels}\n  click A href "javascript:${run}"\n  click B "${host}/link" _top`,
    `---\nconfig: ${JSON.stringify(settings)}\n---\nflowchart TD\n  ${labels}\n  style A fill:url(${host}/fill)`,
    `flowchart LR\n  A --> B\n  classDef evil fill:red}</style><style>@import url(${host}/class)\n  class A evil`,
    `flowchart BT\n  A@{ img: "${host}/shape.png", label: "shape", w: 60, h: 60 } --> B@{ icon: "fa:user" }`,
    `sequenceDiagram\n  participant A\n  link A: x @ javascript:${run}\n  A->>A: <img src=${host}/message onerror=${run}>`,
    `pie title <script>${run}</script>\n  "<img src=${host}/slice onerror=${run}>" : 1`,
    `mindmap\n  root((<img src=${host}/root onerror=${run}>))`,
  ];
  const { server, path } = await answeredSession(fenced([...hostile, 'pie title The end\n  "a" : 1']));
  const context = await (await openBrowser()).newContext();
  await logIn(context, server);
  const page = await context.newPage();
  const strangers: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('data:'))
      strangers.push(request.url());
  });
  await page.goto(server.url + path);
  const shown = answerOn(page);
  await shown.getByRole('img', { name: 'Diagram (flowchart)' }).first().waitFor();
  // Each becomes a picture or its source with a sentence.
  const drawn = shown.locator('figure img').or(shown.getByText(CANNOT_DRAW));
  await vi.waitFor(async () => expect(await drawn.count()).toBe(hostile.length + 1), WITHIN);

  expect(asked).toEqual([]);
  // What the policy of the frame refuses is told as a request that failed, and never left.
  expect(strangers.filter((url) => !url.endsWith('/shape.png'))).toEqual([]);
  expect(await page.title()).not.toBe('run');
  expect(await shown.locator('script, style, figure svg:not([class*="lucide"])').count()).toBe(0);
  for (const picture of await shown.locator('figure img').all()) {
    const svg = decodeURIComponent((await picture.getAttribute('src'))!);
    const styles = svg.match(/<style.*?<\/style>|style="[^"]*"/gs) ?? [];
    expect((svg.match(/<[^>]*>/g) ?? []).join('')).not.toMatch(
      /<(?:script|foreignObject|i?frame)|\son\w+=|javascript:/i,
    );
    expect(styles.join('')).not.toMatch(/@import|url\((?!&quot;#|#)/);
  }
});

test('the frame that draws diagrams has neither the login nor the server nor the page', async () => {
  const { server, path } = await answeredSession(fenced(['pie\n  "a" : 1']));
  const context = await (await openBrowser()).newContext();
  await logIn(context, server);
  const page = await context.newPage();
  await page.goto(server.url + path);
  await answerOn(page).getByRole('img', { name: 'Diagram (pie)' }).waitFor();
  expect((await context.cookies()).length).toBeGreaterThan(0);

  const attempts = {
    origin: 'self.origin',
    cookie: 'document.cookie',
    storage: 'localStorage.length',
    database: 'indexedDB.open("x").name',
    page: 'parent.document.title',
    session: `fetch('/api/sessions', { credentials: 'include' }).then(({ status }) => status)`,
    open: `fetch('${server.url}/healthz', { mode: 'no-cors' }).then(({ type }) => type)`,
    socket: `new Promise((resolve, reject) => {
      const socket = new WebSocket('${server.url.replace('http', 'ws')}/api/lease');
      socket.onopen = () => resolve('open');
      socket.onerror = () => reject(new Error('closed'));
    })`,
    inline: `(() => { const script = document.createElement('script'); script.textContent = 'self.ran = 1';
      document.head.append(script); return self.ran ?? Promise.reject(new Error('not run')); })()`,
    window: `open('${server.url}/') ?? Promise.reject(new Error('no window'))`,
  };
  const tryAll = async (frame: Frame) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(attempts).map(async ([name, code]) => [
          name,
          await frame.evaluate<unknown>(`(async () => ${code})().catch(() => 'refused')`),
        ]),
      ),
    ) as Record<string, unknown>;
  const refused = Object.fromEntries(Object.keys(attempts).map((name) => [name, 'refused']));
  expect(await tryAll(await frameOf(page))).toEqual({ ...refused, origin: 'null' });

  // Opened by itself it is its own page, and has no more than that, though it comes from our server.
  await page.goto(`${server.url}/diagram-frame`);
  expect(await tryAll(page.mainFrame())).toEqual({ ...refused, origin: 'null', page: 'Diagrams' });
});

test('a page may hold the frame that draws diagrams and no other, and that frame may run its own script and reach nothing', async () => {
  const { url } = await serveDragoman();
  const policyOf = async (path: string) => {
    const { headers } = await fetch(url + path);
    const policy = headers.get('content-security-policy')!.replaceAll(/nonce-[\w+/=]{24}/g, 'nonce-…');
    return [...policy.split('; '), headers.get('x-frame-options')];
  };

  expect(await policyOf('/')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce-…'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'DENY',
  ]);
  expect(await policyOf('/diagram-frame')).toEqual([
    "default-src 'none'",
    "script-src 'nonce-…'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
    'SAMEORIGIN',
  ]);
});

test('a drawing that takes too long ends the frame, and the next is drawn in a new one', async () => {
  const { server, path } = await answeredSession(fenced(['flowchart LR\n  A --> B', 'pie\n  "a" : 1']));
  const context = await (await openBrowser()).newContext();
  await logIn(context, server);
  const page = await context.newPage();
  let loads = 0;
  await page.route('**/assets/diagram-frame-*.js', (route) => {
    loads += 1;
    return loads === 1
      ? route.fulfill({ contentType: 'text/javascript', body: "addEventListener('message', () => { for (;;); });" })
      : route.continue();
  });
  await page.goto(server.url + path);
  const shown = answerOn(page);

  await shown.getByText(CANNOT_DRAW).waitFor();
  await shown.getByRole('img', { name: 'Diagram (pie)' }).waitFor();
  expect(await shown.getByText('A --> B').isVisible()).toBe(true);
  expect(await page.locator('iframe').count()).toBe(1);
  expect(loads).toBe(2);
});
