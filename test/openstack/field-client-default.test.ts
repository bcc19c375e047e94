import { describeFieldClientSessions } from './rig/field-client-sessions';

describeFieldClientSessions({ workflow: 'default', project: 'web' });
