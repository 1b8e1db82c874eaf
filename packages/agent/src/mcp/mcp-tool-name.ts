import { createHash } from 'node:crypto';

const LONGEST_NAME = 64;
const HASH_LENGTH = 8;

/** Whose tool it is, and what its server calls it. */
export interface McpToolOwner {
  clientName: string;
  toolName: string;
}

/** A tool's name among all tools, and who has the plain name where it could not be had. */
export interface AssignedName {
  id: string;
  clash?: { id: string; with: McpToolOwner | 'another tool' };
}

/**
 * What an MCP tool is called among all tools: `{clientName}_{toolName}`.
 *
 * Characters that tool names may not have become `_`; a name that is too long is cut and ends in a short hash of the
 * whole one.
 */
export function mcpToolName(clientName: string, toolName: string): string {
  const plain = `${clientName}_${toolName}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return plain.length <= LONGEST_NAME ? plain : withHash(plain, { clientName, toolName });
}

/**
 * Names for tools of several servers, each different.
 *
 * `a_b` + `c` and `a` + `b_c` would both be `a_b_c`. The first in the order given keeps that name; the later one gets a
 * suffix made of its own full name, so that it is called the same however the others come and go.
 */
export function assignToolNames(tools: readonly McpToolOwner[], isTaken: (id: string) => boolean): AssignedName[] {
  const owners = new Map<string, McpToolOwner>();
  return tools.map((tool) => {
    const plain = mcpToolName(tool.clientName, tool.toolName);
    const owner = owners.get(plain);
    const isFree = owner === undefined && !isTaken(plain);
    const id = isFree ? plain : withHash(plain, tool, (name) => owners.has(name) || isTaken(name));
    owners.set(id, tool);
    return isFree ? { id } : { id, clash: { id: plain, with: owner ?? 'another tool' } };
  });
}

/** The hash grows in the unlikely case that the short one is taken too. */
function withHash(plain: string, { clientName, toolName }: McpToolOwner, isTaken?: (name: string) => boolean): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([clientName, toolName]))
    .digest('hex');
  for (let length = HASH_LENGTH; length < hash.length; length += 4) {
    const name = `${plain.slice(0, LONGEST_NAME - length - 1)}_${hash.slice(0, length)}`;
    if (isTaken?.(name) !== true) return name;
  }
  return hash;
}
