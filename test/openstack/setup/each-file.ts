/** A real Nova answers in its own time, and a session on it takes a while: never for ever. */
import { emptyCloud } from '../rig/empty-cloud';

jest.setTimeout(180_000);

/** Every file finds the cloud as a new one. */
beforeAll(emptyCloud, 180_000);
