import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

const agent = (rest: string) => `Mozilla/5.0 (${rest}`;

test.each([
  [
    agent('X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'),
    'Chrome',
    'Linux',
  ],
  [
    agent('Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0'),
    'Edge',
    'Windows',
  ],
  [
    agent('iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'),
    'Safari',
    'iPhone',
  ],
  [agent('Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'), 'Firefox', 'Android'],
  [agent('Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15'), 'Safari', 'macOS'],
  ['', 'Browser', '?'],
])('%s is called as people call it', (userAgent, browser, system) => {
  expect(browserName(userAgent)).toEqual({ browser, system });
});
