import { emptyCloud } from '../rig/empty-cloud';

/** Every file finds the cloud as a new one. */
beforeAll(emptyCloud);
