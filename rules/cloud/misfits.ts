/** Which classes of instances and of hosts do not go together, as the driver of their cloud tells it. */
import type { CloudHost, CloudInstance, CloudLists } from './cloud-facts';

/** Instances of the class may not go to hosts of the class. */
export interface Misfit {
  readonly needs: string;
  readonly offers: string;
  /** What such a host lacks, in words that follow "it lacks". */
  readonly lacks: string;
}

interface ClassesListed {
  readonly hosts: readonly Pick<CloudHost, 'offers' | 'offersOnceItself' | 'isCompute'>[];
  readonly instances: readonly Pick<CloudInstance, 'needs'>[];
}

/** Asks once for each pair of classes that are there, not of instances and hosts. */
export const misfitsAmong = (
  { hosts, instances }: ClassesListed,
  { whyNot }: Pick<CloudLists, 'whyNot'>,
): readonly Misfit[] => {
  const computes = hosts.filter(({ isCompute }) => isCompute);
  const offered = new Set(
    computes.flatMap(({ offers = '', offersOnceItself }) =>
      offersOnceItself === undefined ? [offers] : [offers, offersOnceItself],
    ),
  );
  const needed = new Set(instances.map(({ needs = '' }) => needs));
  return [...needed].flatMap((needs) =>
    [...offered].flatMap((offers) => {
      const lacks = whyNot(needs, offers);
      return lacks === undefined ? [] : [{ needs, offers, lacks }];
    }),
  );
};
