/** How a tool call is named to people. */
export interface ToolCallTitle {
  title: string;
  /** What it was asked, where that can be said in a line. */
  description?: string;
}

/** The title of a tool call on every screen; a tool that is not known is called by its name. */
export function describeToolCall(toolName: string, input: unknown): ToolCallTitle {
  switch (toolName) {
    case 'codebase-retrieval':
      return titled('Context Engine', textIn(input, 'information_request'));
    default:
      return { title: toolName };
  }
}

function titled(title: string, description: string | undefined): ToolCallTitle {
  return description === undefined ? { title } : { title, description };
}

/** The input is what a model wrote, or as much of it as there is so far. */
function textIn(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value = (input as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
