import { Writable } from 'node:stream';

/**
 * Standard output for the protocol alone. What tools of one's own and libraries print there would break it, and goes to
 * standard error instead. An editor that is gone ends the service in good order, so that nothing it started is left.
 */
export function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.removeAllListeners('error');
  stdout.on('error', () => {}); // The write that failed tells it.
  stdout.write = stderr.write.bind(stderr);
  return new Writable({ write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done) });
}
