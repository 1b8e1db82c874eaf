import { request } from 'node:http';
import { openTestDoor } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { consolePages } from './console-pages.ts';

/** The status for a path as it is written, which fetch would tidy up. */
function statusOf(url: string, path: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end();
  });
}

test('whatever stands in the address of a file that is not there, the answer is a refusal and not a failure', async () => {
  const { url, logged } = await openTestDoor({}, (door) => consolePages(door));
  const names = [
    'x%252fy.js',
    'x%2fy.js',
    'x%5cy.js',
    '%252e%252e%252fx.js',
    '..%2f..%2fpackage.json',
    '%00.js',
    'x%2500.js',
    '%ff%fe.js',
    '%c0%ae%c0%ae%c0%af.js',
    '%25.js',
    '%.js',
    '%zz.js',
    '%E0%A4%A.js',
    `${'x'.repeat(9_000)}.js`,
    `${'%41'.repeat(3_000)}.js`,
    'file:%2f%2fhost%2fx.js',
    '%2f%2fevil.example%2fx.js',
    'https:%2f%2fevil.example%2fx.js',
    'x.js%20',
    '.js',
    '%F0%9F%98%80.js',
    '%ED%A0%80.js',
  ];

  for (const path of [...names.map((name) => `/assets/${name}`), '/assets/', '/assets//x.js', '/sessions/%ff', '/%ff'])
    expect([path, await statusOf(url, path)]).toEqual([
      path,
      expect.toSatisfy((status) => status >= 200 && status < 500),
    ]);

  for (const name of names) expect([400, 404, 414, 431, 401]).toContain(await statusOf(url, `/assets/${name}`));
  expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
