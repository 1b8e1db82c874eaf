/**
 * What an agent finds in its environment: all that a person's shell would give it (PATH, HOME, proxies, its own API keys),
 * and nothing of ours, such as the token of the hub or the address of the database.
 */
export function agentEnvironment(from: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && !/^DRAGOMAN_/i.test(name)) kept[name] = value;
  return kept;
}
