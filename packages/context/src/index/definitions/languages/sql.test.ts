import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('tables, functions and the rest of what is created are found up to their semicolon', () => {
  const text = `
-- CREATE TABLE not_me
CREATE TABLE IF NOT EXISTS public.users (
  id int,
  name text
);
create or replace function add(a int) returns int as $$
begin
  return a; -- ;
end;
$$ language plpgsql;
CREATE UNIQUE INDEX users_name ON users (name);
create view v as select 1;
`;

  expect(outline('a.sql', text)).toEqual([
    '2-5 class public > users',
    '6-10 function add',
    '11-11 constant users_name',
    '12-12 class v',
  ]);
});
