/** The exports of the workflow bundle. Their names are the workflow types (temporal/workflow-messages.ts). */
export { checkWorkflow } from './check';
export { sessionCleanup } from './cleanup';
export { hostWork } from './host';
export { maintenanceSession } from './session';
export { sweep } from './sweep';
export { webhookDeliveries } from './webhook-deliveries';
