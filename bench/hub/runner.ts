import { hostAgent } from './host-agent.ts';

await hostAgent();
