import { describeFieldClientSessions } from './rig/field-client-sessions';

describeFieldClientSessions({ workflow: 'vnf', project: 'database' });
