// What there is at a workplace, told to people. Apart, so that an agent at work does not load it.
export {
  describeWorkplace,
  type DescribeWorkplaceOptions,
  type WorkplaceDescription,
} from './inspect/describe-workplace.ts';
export { type CallExplanation, explainCall, type ExplainCallOptions } from './inspect/explain-call.ts';
export { untrustedProject } from './mcp/untrusted-project.ts';
export { isTrusted } from './workplace/is-trusted.ts';
export { type McpTest, testMcpServer, type TestMcpServerOptions } from './inspect/test-mcp-server.ts';
