import { expect, test } from 'vitest';
import { isRoleAtLeast, tokenRoleSchema, weakerRole } from './role.ts';

test('each role may do what the roles below it may', () => {
  expect(isRoleAtLeast('admin', 'member')).toBe(true);
  expect(isRoleAtLeast('member', 'member')).toBe(true);
  expect(isRoleAtLeast('viewer', 'member')).toBe(false);
});

test('a token for models may call models and nothing else, and a viewer may not call them', () => {
  const roles = tokenRoleSchema.options;

  expect(roles.filter((needed) => isRoleAtLeast('models', needed))).toEqual(['models']);
  expect(roles.filter((role) => isRoleAtLeast(role, 'models'))).toEqual(['models', 'member', 'admin']);
});

test('the weaker of two roles is the one that allows less, in either order', () => {
  expect(weakerRole('admin', 'viewer')).toBe('viewer');
  expect(weakerRole('viewer', 'admin')).toBe('viewer');
  expect(weakerRole('member', 'member')).toBe('member');
  expect(weakerRole('models', 'member')).toBe('models');
});

test('of two roles of which neither includes the other, none is the weaker one', () => {
  expect(weakerRole('models', 'viewer')).toBeUndefined();
  expect(weakerRole('viewer', 'models')).toBeUndefined();
});
