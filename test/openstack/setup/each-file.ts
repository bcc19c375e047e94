import { backstopMs } from '../../waiting/backstop';
import { emptyCloud } from '../rig/empty-cloud';

jest.setTimeout(backstopMs);

/** Every file finds the cloud as a new one. */
beforeAll(emptyCloud);
