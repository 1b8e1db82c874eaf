import { testClients } from './client-tests.ts';
import { PROGRAMS } from './clients/all-clients.ts';

testClients(PROGRAMS);
