/**
 * The longest lists that a client may send. Anthropic takes 100,000 messages and OpenAI 128 tools; conversations of coding
 * agents have some thousand messages, and clients with many MCP servers a few hundred tools. Together the lists of a body
 * hold no more than the door lets in.
 */
export const LIST_LIMITS = {
  messages: 20_000,
  /** In one message: texts, images, calls of tools, results. */
  parts: 10_000,
  tools: 2_000,
  /** Stop sequences, rules, folders and the like. */
  settings: 1_000,
} as const;
