import { hostAgent } from '../hub/host-agent.ts';
import { tell } from './telling-agent.ts';

await hostAgent(tell);
