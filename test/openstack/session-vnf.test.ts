import { usualComputes } from './rig/empty-cloud';
import { describeWholeSession } from './rig/whole-session';

describeWholeSession({ workflow: 'vnf', hosts: usualComputes, impactShare: 0.25 });
