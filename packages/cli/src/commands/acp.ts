import { Readable, Writable } from 'node:stream';
import { serveAcp } from '@dragoman/agent/acp';
import { listModelNames } from '@dragoman/gateway/model';
import type { CommonOptions } from '../load-setup.ts';
import { withLocalAgent } from '../open-local-agent.ts';
import { printError } from '../terminal/print.ts';
import { protocolOutput } from '../terminal/protocol-output.ts';
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
    onError: (error) => printError(`dragoman: ${error instanceof Error ? error.message : String(error)}`),
  });
}
