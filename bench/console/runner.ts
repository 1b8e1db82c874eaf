import { hostAgent } from '../hub/host-agent.ts';
import { talk } from './talking-agent.ts';

await hostAgent(talk);
