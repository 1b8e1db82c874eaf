import { expect, test } from 'vitest';
import { splitIdentifier } from './split-identifier.ts';

test.each([
  ['parseHeader', ['parse', 'Header']],
  ['parseHTTPHeader', ['parse', 'HTTP', 'Header']],
  ['HTTPServer', ['HTTP', 'Server']],
  ['parse_header', ['parse', 'header']],
  ['__init__', ['init']],
  ['SCREAMING_CASE', ['SCREAMING', 'CASE']],
  ['$scope', ['scope']],
  ['utf8', ['utf8']],
  ['sha256', ['sha256']],
  ['i18n', ['i18n']],
  ['version2', ['version', '2']],
  ['OAuth2PasswordBearer', ['O', 'Auth2', 'Password', 'Bearer']],
  ['IDs', ['I', 'Ds']],
  ['x', ['x']],
  ['_', []],
  ['größeÄndern', ['größe', 'Ändern']],
])('%s is read as %j', (identifier, parts) => {
  expect(splitIdentifier(identifier)).toEqual(parts);
});
