/** The IDs of the examples. */

export const sessionId = '47479bca-7f0e-11ea-99c9-2c600c9893ee';
/** ID of a project in Keystone's form. */
export const projectId = '39494a5d9f424b3bb7d91d1bd2a1a1b0';
export const instanceId = 'fcbaeb3e-7f0f-11ea-8a01-2c600c9893ee';
export const groupId = '5ff4ff28-7f10-11ea-9a7a-2c600c9893ee';
