import { z } from 'zod';

/** What a person may do: a viewer reads, a member also prompts and approves, an admin also changes the server. */
export const roleSchema = z.enum(['viewer', 'member', 'admin']);
export type Role = z.infer<typeof roleSchema>;

/** What a token may do: what a person may, or call models and nothing else. */
export const tokenRoleSchema = z.enum(['models', ...roleSchema.options]);
export type TokenRole = z.infer<typeof tokenRoleSchema>;

/** Which roles each includes. A viewer calls no models, and a token for models reads nothing: neither includes the other. */
const INCLUDED: Record<TokenRole, readonly TokenRole[]> = {
  models: ['models'],
  viewer: ['viewer'],
  member: ['models', 'viewer', 'member'],
  admin: ['models', 'viewer', 'member', 'admin'],
};

export function isRoleAtLeast(role: TokenRole, needed: TokenRole): boolean {
  return INCLUDED[role].includes(needed);
}

/**
 * The weaker of two roles: a token never lets its holder do more than the user it belongs to. Nothing where neither includes
 * the other.
 */
export function weakerRole<Weaker extends TokenRole>(one: Weaker, other: Weaker): Weaker | undefined {
  if (isRoleAtLeast(one, other)) return other;
  return isRoleAtLeast(other, one) ? one : undefined;
}
