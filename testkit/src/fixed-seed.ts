import fc from 'fast-check';
import { isSoak } from './rounds.ts';

/** Every run draws the same values, so a test fails because of a change. A soak draws new ones; a failure prints its seed. */
if (!isSoak()) fc.configureGlobal({ seed: 1 });
