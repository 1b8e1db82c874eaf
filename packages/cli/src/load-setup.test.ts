import { expect, test } from 'vitest';
import { userPath } from './load-setup.ts';

test('a path is seen from where the person is, also when npm moved to the checkout, and when that was another program', () => {
  const npm = {
    npm_lifecycle_event: 'dragoman',
    npm_package_json: '/checkout/package.json',
    INIT_CWD: '/home/me/code',
  };

  expect(userPath('src', {}, '/home/me')).toBe('/home/me/src');
  expect(userPath('src', npm, '/checkout')).toBe('/home/me/code/src');
  expect(userPath('src', npm, '/elsewhere')).toBe('/elsewhere/src');
  expect(userPath('/src', npm, '/checkout')).toBe('/src');
});
