import { z } from 'zod';

/** What a person may do: a viewer reads, a member also prompts and approves, an admin also changes the server. */
export const roleSchema = z.enum(['viewer', 'member', 'admin']);
export type Role = z.infer<typeof roleSchema>;

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

export function isRoleAtLeast(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}

/** The weaker of two roles: a token never lets its holder do more than the user it belongs to. */
export function weakerRole(one: Role, other: Role): Role {
  return isRoleAtLeast(one, other) ? other : one;
}
