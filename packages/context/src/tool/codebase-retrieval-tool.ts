import { type CodeSearch, DragomanError, newId, type ToolDefinition } from '@dragoman/protocol';
import { z } from 'zod';

export interface RetrievalTool extends ToolDefinition {
  version: number;
}

/** How a model is told about the search, wherever it is offered: over MCP, to the agent, and to Augment clients. */
export const codebaseRetrievalTool: RetrievalTool = {
  name: 'codebase-retrieval',
  version: 2,
  description: [
    'Finds the code that matters for a question. Use it whenever you do not know which files to look at.',
    '1. Ask in plain language: describe what you are looking for; exact names help but are not needed.',
    '2. The whole code base is searched, and the most relevant places come back as code with paths and line numbers.',
    '3. The index follows every change, so the answer is always up to date.',
    '4. It works across programming languages, and for documents and configuration files too.',
    '5. It knows only the current state of the files on disk, and nothing of version control or earlier versions.',
  ].join('\n'),
  inputSchema: {
    type: 'object',
    properties: {
      information_request: { type: 'string', description: 'The information you want, in plain words.' },
    },
    required: ['information_request'],
  },
};

export interface RetrievalResult {
  text: string;
  requestId: string;
  isError: boolean;
}

const inputSchema = z.object({ information_request: z.string().trim().min(1) });

/** Answers one call of the tool. What went wrong is a result too, so that the model can go on. */
export async function callCodebaseRetrieval(
  retrieve: CodeSearch['retrieve'],
  input: unknown,
  { requestId = newId('req'), signal }: { requestId?: string; signal?: AbortSignal } = {},
): Promise<RetrievalResult> {
  try {
    const parsed = inputSchema.safeParse(input);
    if (!parsed.success)
      throw new DragomanError('bad-request', 'information_request must be a text that asks something');
    const text = await retrieve({ query: parsed.data.information_request }, signal);
    return { text, requestId, isError: false };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { text: `Failed to retrieve codebase information: ${message}`, requestId, isError: true };
  }
}
