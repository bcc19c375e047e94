/** Decides by two texts whether a server of one class may go to a host of another, amounts apart. */
import { readClass } from '../../class-text';
import type { ServerNeeds } from './needs';
import type { HostOffers } from './offers';
import { specMatches } from './spec-match';

/**
 * What is unknown of the host refuses nothing: Nova is asked, and its answer is learned. The words say nothing of the
 * host: they also follow "a host with".
 */
export const whyNot = (needsText: string, offersText: string): string | undefined => {
  const needs: ServerNeeds = readClass(needsText);
  const offers: HostOffers = readClass(offersText);
  const lacks = aspects.flatMap((lacking) => lacking(needs, offers));
  return lacks.length === 0 ? undefined : lacks.join(', ');
};

type Aspect = (needs: ServerNeeds, offers: HostOffers) => readonly string[];

const ofHypervisor: Aspect = ({ hypervisor: wanted }, { hypervisor: there }) =>
  wanted === undefined || there === undefined || wanted === there ? [] : [`a hypervisor of type ${wanted}`];

const ofZone: Aspect = ({ zone }, offers) => {
  if (zone === undefined || offers.metadata === undefined || zone === offers.zone) return [];
  return [`zone ${zone}`];
};

const ofProject: Aspect = ({ project }, { projects }) =>
  project === undefined || projects === undefined || projects.includes(project)
    ? []
    : [`an aggregate open to project ${project}`];

const ofMetadata: Aspect = ({ metadata: wanted = {} }, { metadata: there }) =>
  Object.entries(there === undefined ? {} : wanted)
    .filter(([name, spec]) => there?.[name]?.some((value) => specMatches(value, spec)) !== true)
    .map(([name, spec]) => `an aggregate with ${name} = ${spec}`);

const ofTraits: Aspect = ({ required = [], forbidden = [] }, { traits }) => {
  if (traits === undefined) return [];
  return [
    ...required.filter((trait) => !traits.includes(trait)).map((trait) => `trait ${trait}`),
    ...forbidden.filter((trait) => traits.includes(trait)).map((trait) => `hardware without trait ${trait}`),
  ];
};

const aspects: readonly Aspect[] = [ofHypervisor, ofZone, ofProject, ofMetadata, ofTraits];
