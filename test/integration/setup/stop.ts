/** Jest's global tear-down of the integration tests. */
import { stopAll } from './running-services';

// Jest wants the tear-down as default export
export default stopAll;
