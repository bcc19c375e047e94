/** The class of a host: what it offers beside amounts, as text. */
import { canonicalText } from '../../canonical';
import type { AggregatesOfHost } from './aggregates';

export interface HostOffers extends Partial<AggregatesOfHost> {
  /** Left out: placement does not tell them. */
  readonly traits?: readonly string[];
  readonly hypervisor?: string;
}

/** It comes and goes with the host's own state, which the rules know. */
const ofState = 'COMPUTE_STATUS_DISABLED';

/** In alphabetical order. */
export const lastingTraits = (traits: readonly string[]): readonly string[] =>
  traits.filter((trait) => trait !== ofState).toSorted();

export interface OffersSources {
  /** Undefined: Nova does not tell them. */
  readonly aggregates: AggregatesOfHost | undefined;
  readonly traits: readonly string[] | undefined;
  readonly hypervisor: string | undefined;
}

export const offersOf = ({ aggregates, traits, hypervisor }: OffersSources): string => {
  const offers: HostOffers = {
    ...aggregates,
    ...(traits && { traits: lastingTraits(traits) }),
    ...(hypervisor !== undefined && { hypervisor }),
  };
  return canonicalText(offers);
};
