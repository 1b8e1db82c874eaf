import { enableCompileCache } from 'node:module';

enableCompileCache(); // Tests start many of these.
const { inputRequired, McpServer } = await import('@modelcontextprotocol/server');
const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio');
const { z } = await import('zod');

type Elicited = Parameters<
  Parameters<typeof McpServer.prototype.server.elicitInput> extends [infer Params, ...unknown[]]
    ? (params: Params) => void
    : never
>[0];

/** A server whose tools ask the person what the test says, and tell what came back. */
function askingServer() {
  const server = new McpServer({ name: 'asking', version: '1.0.0' });
  const inputSchema = z.object({ params: z.record(z.string(), z.unknown()), timeout: z.number().optional() });
  const told = (result: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(result) }] });

  server.registerTool('ask', { inputSchema }, async ({ params, timeout }, { mcpReq }) => {
    try {
      // oxlint-disable-next-line typescript/no-deprecated
      return told(await mcpReq.elicitInput(params as unknown as Elicited, { timeout: timeout ?? 600_000 }));
    } catch (error) {
      return told({ error: (error as Error).message });
    }
  });
  server.registerTool('ask-newer', { inputSchema }, ({ params }, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses !== undefined) return told(inputResponses['it']);
    return inputRequired({ inputRequests: { it: inputRequired.elicit(params as never) } });
  });
  server.registerTool('capabilities', {}, () => told(server.server.getClientCapabilities() ?? null));
  return server;
}

if (process.argv[2] === 'newer') serveStdio(askingServer, { legacy: 'reject' });
else await askingServer().connect(new StdioServerTransport());
