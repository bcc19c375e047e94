/** The ways in which the built-in workflows go through their rolling states, by the workflow's name. */

/** Whether every instance is asked its own question, under a claim; else projects are asked as a whole about a host. */
export const asksInstances = (workflow: string): boolean => workflow === 'vnf';
