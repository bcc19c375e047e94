/** The labels of a host: its zone, its aggregates with their metadata, and its traits. */
import type { HostLabels } from '../../../rules/selectors/labels';
import type { AggregatesOfHost } from './aggregates';
import { lastingTraits } from './offers';

export interface LabelSources {
  /** Undefined: Nova does not tell them, like the names. */
  readonly aggregates: AggregatesOfHost | undefined;
  readonly names: readonly string[] | undefined;
  /** Undefined: placement does not tell them. */
  readonly traits: readonly string[] | undefined;
}

/** Metadata of an aggregate is a label with its own key, unless that is one of the others. */
export const labelsFrom = ({ aggregates, names = [], traits = [] }: LabelSources): HostLabels => {
  const lasting = lastingTraits(traits);
  return {
    ...Object.fromEntries(Object.entries(aggregates?.metadata ?? {}).map(([key, values]) => [key, values.join(',')])),
    ...(aggregates?.zone !== undefined && { zone: aggregates.zone }),
    ...(names.length > 0 && { aggregate: names.join(',') }),
    ...(lasting.length > 0 && { trait: lasting.join(',') }),
  };
};
