/** What the workflow bundle offers; the names are the workflow types (messages.ts). */
export { checkWorkflow } from './check';
export { sessionCleanup } from './cleanup';
export { hostWork } from './host';
export { maintenanceSession } from './session';
export { sweep } from './sweep';
