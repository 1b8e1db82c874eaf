import { crc32, deflateSync } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { keepPictures, openAnswer } from './answers.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';
import { projectWith, serveHub, turnsOver } from './hub.fixture.ts';

const STRUCTURE = `### What I measured

The retry is slower than it looks[^slow], and the cache hides it[^cache].

| Step | p50 | p95 | What happens |
| --- | ---: | ---: | --- |
| Connect | 12 ms | 48 ms | A connection is taken from the pool, or a new one is opened where the pool is empty and the limit allows it |
| First token | 812 ms | 2 400 ms | The provider reads the prompt |
| Whole answer | 4.1 s | 11.9 s | Until the last byte |

##### How to try it

Press <kbd>Ctrl</kbd> + <kbd>C</kbd> to stop; CO<sub>2</sub> and x<sup>2</sup> are small. <!-- nobody sees this -->

<details>
<summary><b>The whole log</b> of <code>npm test</code></summary>

1. It **starts**.
2. It ends.

\`\`\`sh
npm test
\`\`\`

</details>

The cache again[^cache].

[^slow]: Each attempt waits for the one before it.
[^cache]: See \`src/cache.ts:12\`; it keeps answers for a minute.
`;

const MATH =
  String.raw`The cost is $5 and the limit is $10, so \$HOME is safe. With $x^2 + y^2 = z^2$, the mean \(\bar{x}\) of $n$ values is

$$
\bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i \, , \qquad \sigma = \sqrt{\frac{\sum (x_i - \bar{x})^2}{n - 1}}
$$

\[
\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{bmatrix} 1 \\ 2 \end{bmatrix} = \int_0^\infty e^{-t^2} \, dt
\]

| Sort | Worst | Mean |
| --- | --- | --- |
| Quick | $O(n^2)$ | $O(n \log n)$ |
| Merge | $O(n \log n)$ | $\Theta(n \log n)$ |

- \\(not code\\), \`$x$\` is code, and $\nosuchcommand{x}$ cannot be drawn.
- It ends with $\mathbb{R}^n \to \mathcal{L}(\mathfrak{g})$.
`.replaceAll('\\`', '`');

test('an answer has its notes at the foot, a table with a head and folds, for every eye and ear', async () => {
  const { page, shown } = await openAnswer(STRUCTURE);
  await keepPictures(page, 'structure');

  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);

  const { violations } = await new AxeBuilder({ page }).withRules(['heading-order']).setLegacyMode(true).analyze();
  expect(violations.map(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);

  await shown.getByRole('link', { name: 'Footnote 2' }).first().click();
  expect(await page.evaluate('document.activeElement.textContent')).toContain('keeps answers for a minute');
  await shown.getByRole('link', { name: 'Back to reference 2' }).click();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('2');
  expect(await page.evaluate('location.hash')).toBe('');

  expect(await shown.getByText('It starts.').isVisible()).toBe(false);
  await shown.getByText('The whole log of npm test').click();
  await shown.getByText('It starts.').waitFor();
});

test('formulas are drawn by elements of their own, with nothing refused by the policy', async () => {
  const { page, shown } = await openAnswer(MATH);
  await shown.locator('.katex').nth(8).waitFor();

  expect(await shown.locator('.katex-display').count()).toBe(2);
  expect(await shown.locator('math').first().textContent()).toContain('x2+y2=z2');
  expect(await shown.innerText()).toContain('The cost is $5 and the limit is $10, so $HOME is safe.');
  expect(await shown.locator('code', { hasText: 'nosuchcommand' }).textContent()).toBe(String.raw`\nosuchcommand{x}`);
  expect(await page.evaluate('document.fonts.ready.then((fonts) => fonts.check("16px KaTeX_Math"))')).toBe(true);
  await expectAccessible(page);
  await keepPictures(page, 'math');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test('the offline model shows what it found as places, and says what a provider would add', async () => {
  const server = await serveHub({ runner: { isShared: true } });
  const body = Array.from({ length: 30 }, (_none, index) => `  total += price * ${index};`).join('\n');
  const folder = projectWith({ 'src/prices.ts': `export function priceOf(line) {\n${body}\n}\n` });
  const session = await server.owner.createSession({ agent: 'native', folder, prompt: { text: 'Where is priceOf?' } });
  await turnsOver(server.owner, session.id);
  const page = await openConsole(server, { path: `/sessions/${session.id}` });
  const shown = page.getByRole('log').getByRole('article', { name: 'Answer' }).last();
  await shown.getByRole('list', { name: 'Code references' }).waitFor();

  expect(await shown.innerText()).not.toContain('The following code sections');
  expect(await shown.getByRole('link', { name: 'Add provider' }).getAttribute('href')).toBe('/gateway');
  await expectAccessible(page);
  await keepPictures(page, 'places');
  await page.setViewportSize({ width: 1280, height: 800 });
  await shown
    .getByRole('button', { name: /^src\/prices\.ts/ })
    .first()
    .click();
  await page.getByRole('region', { name: 'src/prices.ts' }).waitFor();
});

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><style>rect { fill: teal }</style>
<rect width="300" height="120"/><script>document.title = 'run'</script><image href="https://example.com/a.png"/></svg>`;

const IMAGES = `The plan, as I drew it:

![The plan for the week](docs/my%20plan.png)

The same as a drawing: ![a drawing](docs/draw.svg)

![not there](docs/none.png), ![a page](docs/page.png), ![elsewhere](https://example.com/a.png) and ![out](../secret.png).
`;

test('images of the session are shown and open large; what is none says what it was, and nothing is loaded from elsewhere', async () => {
  const { page, shown } = await openAnswer(
    IMAGES,
    {},
    {
      'docs/my plan.png': gradient(1600, 800),
      'docs/draw.svg': DRAWING,
      'docs/page.png': '<!doctype html><script>alert(1)</script>',
    },
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));

  const plan = shown.getByRole('img', { name: 'The plan for the week' });
  await plan.waitFor();
  await shown.getByRole('img', { name: 'a drawing' }).waitFor();
  await shown.getByText('(docs/none.png)').waitFor();
  await shown.getByText('(docs/page.png)').waitFor();
  await shown.getByText('(../secret.png)').waitFor();
  expect(await plan.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)).toBe(1600);
  expect(await shown.getByRole('img').count()).toBe(2);
  expect((await plan.boundingBox())!.height).toBeLessThanOrEqual(384);
  await expectAccessible(page);
  await keepPictures(page, 'images');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 1000 });

  const small = (await plan.boundingBox())!.width;
  await shown.getByRole('button', { name: 'View larger: The plan for the week' }).click();
  const dialog = page.getByRole('dialog', { name: 'The plan for the week' });
  await dialog.getByText('docs/my plan.png').waitFor();
  expect((await dialog.getByRole('img').boundingBox())!.width).toBeGreaterThan(small);
  await expectAccessible(page);
  await keepPictures(page, 'image-large');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  expect(await page.title()).not.toBe('run');
  expect(new Set(asked.filter((host) => host !== new URL(page.url()).host && host !== ''))).toEqual(new Set());
});

test('an image is shown in the Files tab, a drawing with its text', async () => {
  const { page } = await openAnswer(
    'See `docs/plan.png` and `docs/draw.svg`.',
    {},
    {
      'docs/plan.png': gradient(600, 300),
      'docs/draw.svg': DRAWING,
    },
  );
  await page.getByRole('button', { name: 'docs/plan.png' }).click();
  await page.getByRole('img', { name: 'plan.png' }).waitFor();
  expect(await page.getByText('Binary files can’t be previewed').count()).toBe(0);
  await keepPictures(page, 'image-file');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'docs/draw.svg' }).click();
  await page.getByRole('img', { name: 'draw.svg' }).waitFor();
  await page.getByText('rect { fill: teal }').waitFor();
});

/** A picture of some size, as a PNG. */
function gradient(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8); // Eight bits a colour, red, green and blue.
  const lines = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines.set([(x * 255) / width, (y * 255) / height, 128], y * (1 + width * 3) + 1 + x * 3);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
