/** Applies a decision to the model that it was made on, so that the next one can be made there. */
import type { Decision } from '../decisions/decision';
import type { Host } from '../decisions/fleet/fleet';
import type { FleetModel } from '../decisions/model/fleet-model';
import { grantedTo } from './claim-step';
import { type HostEvent, hostEventsOf, stepOfHost, workAfter } from './host-step';

export const applyDecision = (model: FleetModel, sessionId: string, decision: Decision): void => {
  for (const { hostname, event } of hostEventsOf(decision)) stepHost(model, hostname, event);
  for (const { instanceId, target } of decision.reserve ?? []) model.reserve(instanceId, target);
  for (const admission of decision.admit) {
    const instance = model.instanceById.get(admission.instanceId);
    if (instance) model.setClaim(grantedTo(instance, sessionId, admission));
  }
};

/** Takes the step of a host that a session works on. Who is given back keeps no places for what is on it. */
export const stepHost = (model: FleetModel, hostname: string, event: HostEvent): Host | undefined => {
  const host = model.hostByName.get(hostname);
  if (!host?.work) return undefined;
  const after: Host = { ...host, work: workAfter(host.work, stepOfHost(host.work, event)) };
  if (after.work?.phase === 'releasing') for (const { id } of model.instancesOn(hostname)) model.unreserve(id);
  model.setHost(after);
  return after;
};
