import { usualComputes } from './rig/empty-cloud';
import { describeWholeSession } from './rig/whole-session';

/** It moves one member of a group without constraints at a time; a smaller session shows that as well. */
describeWholeSession({ workflow: 'default', hosts: usualComputes.slice(0, 4) });
