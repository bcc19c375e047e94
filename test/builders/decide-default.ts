import type { DecisionLimits } from '../../rules/decisions/both-workflows/session-facts';
import type { Decision, SessionView } from '../../rules/decisions/decision';
import { decideDefaultOn } from '../../rules/decisions/default/decide-default';
import { FleetModel } from '../../rules/decisions/model/fleet-model';

/** The decision of `default` on a snapshot. */
export const decideDefault = ({ fleet, ...session }: SessionView, nowMs: number, limits: DecisionLimits): Decision =>
  decideDefaultOn({ ...session, model: new FleetModel(fleet, nowMs), nowMs, limits });
