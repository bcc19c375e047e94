/** Set-up of the tests of a bug in workflow code: the rig's workers run the workflows of this tree, with the bug. */
import path from 'node:path';
import { announceServices, testServices } from '../integration/setup/services';

announceServices({ ...testServices(), workflowBundle: path.join(__dirname, 'workflow-bundle.js') });
