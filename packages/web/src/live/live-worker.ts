import { LiveHolder } from './live-holder.ts';

/** The streams of all pages of this browser. A new version of the console has another file, and so a worker of its own. */
const holder = new LiveHolder();
const scope = globalThis as unknown as { onconnect: ((event: MessageEvent) => void) | null };

scope.onconnect = ({ ports: [port] }) => holder.attach(port!);
setInterval(() => holder.sweep(), 60_000);
