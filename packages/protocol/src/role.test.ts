import { expect, test } from 'vitest';
import { isRoleAtLeast, weakerRole } from './role.ts';

test('each role may do what the roles below it may', () => {
  expect(isRoleAtLeast('admin', 'member')).toBe(true);
  expect(isRoleAtLeast('member', 'member')).toBe(true);
  expect(isRoleAtLeast('viewer', 'member')).toBe(false);
});

test('the weaker of two roles is the one that allows less, in either order', () => {
  expect(weakerRole('admin', 'viewer')).toBe('viewer');
  expect(weakerRole('viewer', 'admin')).toBe('viewer');
  expect(weakerRole('member', 'member')).toBe('member');
});
