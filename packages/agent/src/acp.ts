export { serveAcp, type ServeAcpOptions } from './acp/serve-acp.ts';
