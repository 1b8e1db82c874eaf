import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('messages, services and their calls are found', () => {
  const text = `
syntax = "proto3";
message User {
  string name = 1;
  message Inner { int32 x = 1; }
  enum Kind { A = 0; }
}
service Users {
  rpc Get(GetRequest) returns (User) {}
  rpc List(ListRequest) returns (stream User);
}
`;

  expect(outline('a.proto', text)).toEqual([
    '2-6 class User',
    '4-4 class User > Inner',
    '5-5 enum User > Kind',
    '7-10 interface Users',
    '8-8 method Users > Get',
    '9-9 method Users > List',
  ]);
});
