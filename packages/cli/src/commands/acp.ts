import { Readable, Writable } from 'node:stream';
import { serveAcp } from '@dragoman/agent/acp';
import { listModelNames } from '@dragoman/gateway/model';
import type { CommonOptions } from '../load-setup.ts';
import { withLocalAgent } from '../open-local-agent.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { VERSION } from '../version.ts';

/** `dragoman acp`: the native agent for editors that speak the Agent Client Protocol, until the editor goes away. */
export async function acp(options: CommonOptions): Promise<void> {
  const output = protocolOutput();
  await serveAcp({
    withAgent: (approver, use) =>
      withLocalAgent({ ...options, mode: 'interactive', approver, isStaying: true }, ({ agent, setup }) =>
        use({ agent, models: () => listModelNames(setup.config.value) }),
      ),
    input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    output: Writable.toWeb(output) as WritableStream<Uint8Array>,
    version: VERSION,
    signal: untilInterrupted().signal,
    onError: (error) => process.stderr.write(`dragoman: ${error instanceof Error ? error.message : String(error)}\n`),
  });
}

/**
 * Standard output for the protocol alone. What tools of one's own and libraries print there would break it, and goes to
 * standard error instead. An editor that is gone ends the service in good order, so that nothing it started is left.
 */
function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.removeAllListeners('error');
  stdout.on('error', () => {}); // The write that failed tells it.
  stdout.write = stderr.write.bind(stderr);
  return new Writable({ write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done) });
}
