import { testClients } from './client-tests.ts';
import { LIBRARIES } from './clients/all-clients.ts';

testClients(LIBRARIES);
