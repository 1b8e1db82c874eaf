import { expect, test } from 'vitest';
import { confidentialValues } from './confidential-values.ts';
import { Secret } from './secret.ts';

test('secrets at any depth, and the keys and passwords of addresses, are confidential; names and numbers are not', () => {
  const config = {
    providers: {
      a: { apiKey: [new Secret('key-one')], baseUrl: 'https://me:pass-word@a.example/v1?token=t-2&api-version=1' },
    },
    mcp: { b: { url: 'https://b.example/mcp?apikey=k-3', enabled: true } },
    server: { port: 4747, host: '127.0.0.1' },
  };

  expect(confidentialValues(config).toSorted()).toEqual(['k-3', 'key-one', 'me', 'me:pass-word', 'pass-word', 't-2']);
});
