import { enableCompileCache } from 'node:module';

enableCompileCache(); // Tests start many of these.
const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio');
const { demoServer } = await import('./demo-server.fixture.ts');

// The demo server as a child process. Its argument says what is wrong with it.
const fault = process.argv[2];

if (fault === 'crash') {
  console.error(`cannot start, and the key is ${process.env['API_KEY']}`);
  process.exit(3);
}
if (fault === 'garbage') {
  process.stdout.write('Welcome to the server!\n{"not": "a message"}\n\u0000\u0001\n[]\n');
  setInterval(() => process.stdout.write('[debug] still here\n{\n'), 5);
}
if (fault === 'newer') serveStdio(demoServer, { legacy: 'reject' });
else await demoServer().connect(new StdioServerTransport());

// It does not go when its input ends, nor when it is asked to.
if (fault === 'stubborn') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
